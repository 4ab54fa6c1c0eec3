"""Goal: of two brokers on one ledger one reigns; the other takes over within seconds. One that was
away finds itself refused, says nothing of what it remembered, and stands by. Method: real processes
with different names; the one that reigns is killed, stopped in order, and frozen and woken.
"""
import os, pathlib, signal, subprocess, unittest, unittest.mock
from harness import CREDIT, HOUR, SECOND, Broker, Contractor, SystemTest, main, unique

FAILPOINT = 'recall-entry'  # one of ledger/include/failpoint.def


class Standby(SystemTest):
    broker_options = ('--broker', 'one', '--lease', '2s')

    def setUp(self):
        super().setUp()
        self.brokers = {'one': self.broker}

    def tearDown(self):
        super().tearDown()
        for name, broker in self.brokers.items():
            if broker.process.poll() is None:
                broker.process.send_signal(signal.SIGCONT)
                broker.stop()
        type(self).broker = Broker(self.directory, *self.broker_options).start()
        self.wait(lambda: self.holder() == 'one', 'the first reigns again')

    def standby(self, name, *options):
        directory = self.directory / unique(name)
        broker = Broker(directory, '--broker', name, '--lease', '2s', *options).start()
        self.brokers[name] = broker
        self.wait(lambda: 'event=standby' in broker.log.read_text(), f'{name} stands by')
        return broker

    def holder(self):
        rows = self.sql.rows("select broker from tender.broker where state = 'reigns'")
        return rows[0]['broker'] if rows else None

    def move(self, broker):
        for peer in self.peers:
            peer.url = broker.url

    def half_done(self, window_us=40 * SECOND):
        """A task with one bid said and one to be said, and its bidders. A recalled round closes by
        its window alone."""
        client = self.client()
        one, two = self.contractor(on_cfp=Contractor.nothing), self.contractor(cost=2 * CREDIT)
        self.ready(one, two)
        task = client.announce(skill=self.skill, window_us=window_us)
        self.wait(lambda: one.cfps and two.cfps and not two._unheard, 'one bid')
        return task, one

    def finish(self, task, one, broker):
        self.move(broker)
        one.bid(one.cfps[0], 1 * CREDIT)
        self.await_end(task, 'done')
        kinds = [e['kind'] for e in self.entries(task)]
        for kind in ('announced', 'opened', 'awarded', 'settled'):
            self.assertEqual(kinds.count(kind), 1, kinds)
        self.assertEqual([c['owner'] for c in self.commitments(task)], [one.name])

    def test_standby_takes_over_from_one_that_was_killed(self):
        two = self.standby('two')
        task, cheap = self.half_done()
        self.broker.kill()
        self.wait(lambda: 'event=took-over' in two.log.read_text(), 'the second takes over')
        self.finish(task, cheap, two)
        self.assertEqual(self.holder(), 'two')

    def test_standby_takes_over_at_once_from_one_that_ends_in_order(self):
        two = self.standby('two')
        task, cheap = self.half_done()
        self.assertEqual(self.broker.stop(), 0)
        self.wait(lambda: self.holder() == 'two', 'the second reigns')
        self.finish(task, cheap, two)

    @unittest.skipUnless(
        FAILPOINT.encode() in pathlib.Path(os.environ['TENDERD']).read_bytes(), 'no failpoints'
    )
    def test_broker_that_dies_in_its_recall_is_not_waited_for(self):
        task, cheap = self.half_done()
        with unittest.mock.patch.dict(os.environ, {'TENDER_FAILPOINT': f'{FAILPOINT}:1'}):
            two = self.standby('two', '--lease', '10m')
        self.broker.kill()
        self.wait(lambda: two.process.poll() == -signal.SIGKILL, 'the second dies')
        self.assertEqual(self.sql.value('select broker from tender_ledger.reign'), 'two')
        three = self.brokers['three'] = Broker(
            self.directory / unique('three'), '--broker', 'three', '--lease', '2s'
        ).start()
        self.wait(lambda: self.holder() == 'three', 'the third reigns')
        self.finish(task, cheap, three)

    def test_standby_that_is_refused_by_the_database_goes_on_asking(self):
        self.sql.run('create role latecomer superuser login')
        database = os.environ['TENDER_DATABASE'].replace('user=postgres', 'user=latecomer')
        two = self.standby('two', '--database', database)
        self.sql.run('alter role latecomer nologin')
        self.broker.kill()
        self.wait(lambda: two.log.read_text().count('event=ledger-away') > 1, 'it is refused twice')
        self.sql.run('alter role latecomer login')
        self.wait(lambda: 'event=took-over' in two.log.read_text(), 'the second takes over')
        two.kill()
        self.sql.run('drop role latecomer')

    def test_frozen_broker_that_wakes_is_refused_and_stands_by(self):
        two = self.standby('two')
        task, cheap = self.half_done()
        self.broker.process.send_signal(signal.SIGSTOP)
        self.wait(lambda: 'event=took-over' in two.log.read_text(), 'the second takes over')
        before = self.sql.value('select batch from tender_ledger.reign')
        self.broker.process.send_signal(signal.SIGCONT)
        self.wait(lambda: 'event=reign-lost' in self.broker.log.read_text(), 'the first is refused')
        self.wait(
            lambda: 'holder=two' in self.broker.log.read_text(), 'the first stands by'
        )
        self.assertGreaterEqual(self.sql.value('select batch from tender_ledger.reign'), before)
        self.finish(task, cheap, two)
        self.assertIsNone(self.broker.process.poll())
        self.assertNotIn('lease-renewed', self.broker.log.read_text().partition('reign-lost')[2])
        two.kill()
        self.wait(lambda: self.holder() == 'one', 'the first reigns again')

    def test_woken_broker_says_nothing_from_memory(self):
        two = self.standby('two')
        client = self.client()
        task = client.announce(skill=self.skill, window_us=HOUR)
        self.broker.process.send_signal(signal.SIGSTOP)
        client.send('query', task)  # it arrives while the broker is frozen
        self.wait(lambda: 'event=took-over' in two.log.read_text(), 'the second takes over')
        told = len(client.told(task))
        self.broker.process.send_signal(signal.SIGCONT)
        self.wait(lambda: 'event=reign-lost' in self.broker.log.read_text(), 'the first is refused')
        self.wait(lambda: any(client.turned_away), 'the client is sent elsewhere')
        self.assertEqual(len(client.told(task)), told)
        self.assertEqual(client.turned_away[-1], f'{two.url} {two.tcp}')
        self.move(two)
        self.wait(lambda: len(client.told(task)) > told, 'the second answers')

    def test_woken_broker_takes_nothing_of_its_successor_for_lost(self):
        two = self.standby('two')
        client = self.client()
        client.announce(skill=self.skill, window_us=HOUR)
        self.broker.process.send_signal(signal.SIGSTOP)
        self.wait(lambda: 'event=took-over' in two.log.read_text(), 'the second takes over')
        self.move(two)
        task = client.announce(skill=self.skill, window_us=HOUR)
        self.move(self.broker)
        client.send('query', task)  # with a receipt of the second's reign
        self.broker.process.send_signal(signal.SIGCONT)
        self.wait(lambda: 'event=reign-lost' in self.broker.log.read_text(), 'the first is refused')
        self.assertNotIn('commits-lost', self.broker.log.read_text())
        self.assertEqual(self.sql.rows('select * from tender.loss'), [])
        self.assertEqual(client.losses, 0)

    def test_broker_that_hears_first_who_took_what_it_gave_back_ends_in_order(self):
        name = 'tender_ledger.release_reign(p_shard smallint, p_reign bigint)'
        before = self.sql.value(
            "select pg_get_functiondef('tender_ledger.release_reign'::regproc)"
        )
        self.sql.run(
            f"""create or replace function {name} returns void language plpgsql as $$
            begin
                raise exception using errcode = 'TN001', message = 'another broker reigns';
            end $$"""
        )
        self.addCleanup(self.sql.run, before)
        self.assertEqual(self.broker.stop(), 0)

    def test_peer_of_a_standby_is_told_who_answers(self):
        two = self.standby('two')
        peer = self.client()
        peer.url = two.url
        peer.send('query')
        self.wait(lambda: peer.turned_away, 'it is turned away')
        self.assertEqual(peer.turned_away[-1], f'{self.broker.url} {self.broker.tcp}')

    def test_programs_with_both_addresses_follow_the_reign(self):
        two = self.standby('two')
        urls = f'{two.url},{self.broker.url}'  # the one that stands by first
        client = self.client()
        offer = ['-p', 'progs', '--skill', self.skill, '--slots', '4', '--eta-per-unit', '10s']
        programs = [
            self.start(
                os.environ['TENDER'], 'contractor', 'exec', '--url', urls, '--name',
                unique('prog'), *offer, '--rate', rate, '--', 'cat',
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            for rate in ('1', '2')
        ]
        done = f"""select count(*) from tender.task where skill = '{self.skill}'
            and status = 'done'"""
        announce = ['announce', '--url', urls, '-p', client.principal, '-s', self.skill, '-u', '1']
        announce += ['-c', '5', '-w', '20s', '-d', '60s']
        self.assertEqual(self.tender_served(*announce)[0], 0)
        self.wait(lambda: self.sql.value(done) == 1, 'it is done under the first')
        waits = self.start(
            os.environ['TENDER'],
            *announce,
            '--key',
            'once',
            '--wait',
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.wait(
            lambda: self.sql.value(f"select count(*) from tender.task where skill = '{self.skill}'")
            == 2,
            'another is announced',
        )
        self.broker.kill()
        self.wait(lambda: waits.poll() is not None, 'who waits is told by the second')
        self.assertEqual(waits.returncode, 0)
        self.assertEqual(self.tender_served(*announce, '--key', 'once', '--wait')[0], 0)
        self.assertEqual(self.sql.value(done), 2)
        self.assertEqual([program.poll() for program in programs], [None, None])

    def test_brokers_are_listed(self):
        longest = 'tcp://127.0.0.1:7480'.ljust(990) + 'tcp://[::1'  # 1000 bytes
        self.standby('two', '--advertise', longest)
        urls = self.sql.value("select urls from tender.broker where broker = 'two'")
        self.assertEqual(urls, longest)
        listed = self.tender('brokers', '-o', 'csv', check=0).stdout.splitlines()
        self.assertEqual(
            [line.split(',')[:3] for line in listed[1:3]],
            [['one', 'reigns', '0'], ['two', 'stands by', '']],
        )


if __name__ == '__main__':
    main()
