#!/usr/bin/python3
"""Crashes (L3, L4, W4): kills at every stage, PostgreSQL restarts, two brokers meet."""
import os, re, signal, subprocess, uuid
from harness import CREDIT, MINUTE, SECOND, Broker, Contractor, Sql, SystemTest, main, unique
from peer import connect
from wire import pack_exchange


def leave_unread(url):
    """A peer that asks three times and leaves without reading: nng 1.5.2 may lock up on it."""
    with connect(url, timeout=60) as stream:
        for number in range(3):
            exchange = pack_exchange(os.urandom(16), 5, 0, [])
            payload = (0x80000000 | number).to_bytes(4, 'big') + exchange
            stream.sendall(b'\x01' + len(payload).to_bytes(8, 'big') + payload)


class Crash(SystemTest):
    broker_options = ('--grace', '10s')  # a peer connects and proves itself before it reports

    def restart(self):
        self.broker.kill()
        self.broker.start()

    def check_once(self, task, owner, price=2):
        """One award, one settlement, one payment, whatever happened in between."""
        row = self.await_end(task, 'done')
        kinds = [e['kind'] for e in self.entries(task)]
        for kind in ('announced', 'opened', 'awarded', 'settled'):
            self.assertEqual(kinds.count(kind), 1, kinds)
        self.assertEqual(row['round'], 1)
        self.assertEqual(
            [
                (c['commitment_id'], c['owner'], c['status'], c['paid'])
                for c in self.commitments(task)
            ],
            [(f'{task}/1', owner.name, 'fulfilled', price)],
        )

    def test_L3_kill_at_every_stage_loses_doubles_and_renumbers_nothing(self):
        client = self.client()
        for stage in (
            'announced',
            'cfp',
            'bid',
            'awarded',
            'acknowledged',
            'progress',
            'done',
            'settled',
        ):
            with self.subTest(stage=stage):
                skill = f'{self.skill}.{stage}'
                one = self.contractor(
                    'one', skill=skill, on_cfp=Contractor.nothing, on_award=Contractor.nothing
                )
                two = self.contractor('two', skill=skill, on_cfp=Contractor.nothing)
                self.ready(one, two)
                # who was invited is not remembered: a round that was recalled runs its window
                terms = dict(
                    skill=skill,
                    units=4,
                    key=stage,
                    window_us=5 * SECOND if stage in ('announced', 'cfp', 'bid') else 10 * MINUTE,
                )
                key = client.say_announce(**terms)
                if stage == 'announced':  # killed while the announcement may be anywhere
                    self.restart()
                task = self.wait(lambda: client.answers(key), 'the task')[0].conversation
                self.wait(lambda: one.cfps and two.cfps, 'the cfps')
                if stage == 'cfp':
                    self.restart()
                one.bid(one.cfps[0], 1 * CREDIT)
                if stage == 'bid':
                    self.wait(lambda: not one._unheard, 'the bid is heard')
                    self.restart()
                two.bid(two.cfps[0], 2 * CREDIT)
                if stage == 'awarded':
                    self.wait(lambda: self.commitments(task), 'the award is in the ledger')
                    self.restart()
                award = self.wait(lambda: one.awards, 'the award')[0]
                one.on_award = Contractor.acknowledge
                one.acknowledge(award)
                if stage == 'acknowledged':
                    self.wait(lambda: not one._unheard, 'the acknowledgement is heard')
                    self.restart()
                one.report('inform-progress', award, 2, content=b'half')
                if stage == 'progress':
                    self.wait(lambda: not one._unheard, 'the progress is heard')
                    self.restart()
                one.report('inform-done', award, content=b'all')
                if stage == 'done':  # killed while the report may be anywhere
                    self.restart()
                self.await_end(task, 'done')
                if stage == 'settled':
                    self.restart()
                self.check_once(task, one)
                self.assertEqual(client.announce(**terms), task)
                self.assertEqual(len(one.awards), 1)
        self.assertEqual(
            self.account(client.principal),
            {'available': 984, 'reserved': 0, 'spent': 16, 'earned': 0},
        )

    def test_L3_kill_under_load_loses_and_doubles_no_task(self):
        client = self.client(10_000)
        workers = [self.contractor(cost=cost * CREDIT, slots=1000) for cost in (1, 2, 3)]
        self.ready(*workers)
        keys = []
        for _ in range(5):
            keys += [client.say_announce(skill=self.skill, window_us=5 * SECOND) for _ in range(40)]
            self.pump()
            self.restart()
        tasks = self.wait(
            lambda: [client.answers(key) for key in keys if client.answers(key)]
            if all(client.answers(key) for key in keys)
            else None,
            'every announcement is answered',
        )
        self.assertEqual(
            {answer.performative for answers in tasks for answer in answers}, {'agree'}
        )
        names = {answers[0].conversation for answers in tasks}
        self.assertEqual(len(names), 200)
        self.wait(
            lambda: self.sql.value(
                f"select count(*) from tender.task where skill = '{self.skill}' "
                f"and status = 'done'"
            )
            == 200,
            '200 are done',
        )
        self.assertEqual(
            self.sql.value(f"select count(*) from tender.task where skill = '{self.skill}'"), 200
        )
        self.assertEqual(
            self.sql.value(
                f"""select count(*) from tender.commitment c join tender.task t using (task_id)
                                            where t.skill = '{self.skill}' and c.paid > 0"""
            ),
            200,
        )

    def test_W4_work_finished_while_the_broker_is_down_is_paid_once(self):
        client = self.client()
        worker = self.contractor(cost=CREDIT, eta_us=3 * SECOND, on_award=Contractor.acknowledge)
        other = self.contractor(cost=2 * CREDIT)
        self.ready(worker, other)
        task = client.announce(skill=self.skill, due_us=3 * SECOND)
        award = self.wait(
            lambda: worker.awards and not worker._unheard and worker.awards, 'it is taken'
        )[0]
        self.broker.kill()
        worker.report('inform-done', award, content=b'finished meanwhile')
        due = award.fields['due_at_us']
        self.wait(
            lambda: self.sql.value('select extract(epoch from clock_timestamp()) * 1e6') > due,
            'its due time passes while no broker runs',
        )
        self.assertEqual(
            self.sql.value(f"select count(*) from tender.overdue where task_id = '{task}'"), 1
        )
        self.broker.start()
        self.check_once(task, worker)
        worker.report('inform-done', award)
        self.wait(
            lambda: worker.got('not-understood', task) or not worker._unheard,
            'the same report again',
        )
        self.check_once(task, worker)
        self.broker.kill()  # what it was paid is told again from the ledger alone
        self.broker.start()
        told = len(worker.got('inform', task))
        worker.report('inform-done', award)
        self.wait(lambda: len(worker.got('inform', task)) > told, 'how it was settled')
        said = worker.got('inform', task)[-1].fields
        self.assertEqual(
            (said['state'], said['units_done'], said['paid_micro']), (3, 1, 2 * CREDIT)
        )

    def test_stall_of_the_broker_lapses_nothing_that_was_finished_in_it(self):
        client = self.client()
        worker, other = self.contractor(
            cost=CREDIT, eta_us=2 * SECOND, on_award=Contractor.acknowledge
        ), self.contractor(cost=2 * CREDIT)
        self.ready(worker, other)
        task = client.announce(skill=self.skill, due_us=2 * SECOND)
        award = self.wait(
            lambda: worker.awards and not worker._unheard and worker.awards, 'it is taken'
        )[0]
        self.broker.process.send_signal(signal.SIGSTOP)
        worker.report('inform-done', award)
        due = award.fields['due_at_us']
        self.wait(
            lambda: self.sql.value('select extract(epoch from clock_timestamp()) * 1e6') > due,
            'its due time passes',
        )
        self.broker.process.send_signal(signal.SIGCONT)
        self.check_once(task, worker)

    def test_peers_that_leave_by_the_thousand_cost_no_descriptors_and_no_task(self):
        descriptors = f'/proc/{self.broker.process.pid}/fd'
        client = self.client()
        owner = self.contractor(
            cost=2 * CREDIT, on_award=Contractor.acknowledge, url=self.broker.tcp
        )
        self.ready(owner)
        task = client.announce(skill=self.skill, close_alone=1, ceiling_micro=2 * CREDIT)
        self.wait(lambda: owner.awards and not owner._unheard, 'the award is acknowledged')
        before = len(os.listdir(descriptors))
        for _ in range(5000):
            leave_unread(self.broker.url)
        self.wait(
            lambda: len(os.listdir(descriptors)) < before + 50, 'the connections are taken away'
        )
        owner.report('inform-done', owner.awards[0])
        self.check_once(task, owner)
        self.assertIsNone(self.broker.process.poll())

    def test_stamps_follow_the_clock_over_a_recall_that_takes_long(self):
        client = self.client()
        self.broker.stop()
        blocker = Sql()
        blocker.run('begin; lock table tender_ledger.account in access exclusive mode')
        self.broker.start(wait=False)
        self.wait(
            lambda: self.sql.rows(
                """select from pg_stat_activity where wait_event_type = 'Lock'
                and clock_timestamp() - query_start > interval '1500 ms'"""
            ),
            'the recall waits',
        )
        blocker.run('rollback')
        blocker.close()
        self.broker.await_ready()
        task = client.announce(skill=self.skill)
        row = self.sql.row(
            f"""select clock_timestamp() - announced_at < interval '1 s' as is_near
            from tender.task where task_id = '{task}'"""
        )
        self.assertTrue(row['is_near'])
        self.assertNotIn('clock-skew', self.broker.log.read_text())

    def test_L4_postgresql_restarts_in_the_middle_of_an_auction_and_the_work_goes_on(self):
        client = self.client()
        for mode in ('fast', 'immediate'):
            with self.subTest(mode=mode):
                skill = f'{self.skill}.{mode}'
                one = self.contractor(skill=skill, on_cfp=Contractor.nothing)
                two = self.contractor(skill=skill, cost=2 * CREDIT)
                self.ready(one, two)
                task = client.announce(skill=skill, window_us=10 * MINUTE)
                self.wait(lambda: one.cfps and two.cfps and not two._unheard, 'one bid')
                restart = self.start(os.environ['TENDER_TEST_PG_CTL'], 'restart', '-m', mode)
                one.bid(one.cfps[0], 1 * CREDIT)
                later = client.say_announce(skill=skill)
                one.on_cfp = lambda c, cfp: c.bid(cfp, 1 * CREDIT)
                self.wait(lambda: restart.poll() is not None, 'PostgreSQL is back')
                self.assertEqual(restart.returncode, 0)
                self.sql.close()
                self.check_once(task, one)
                self.wait(lambda: client.answers(later), 'the later announcement')
                self.check_once(client.answers(later)[0].conversation, one)

    def test_second_broker_takes_over_and_the_first_is_fenced(self):
        client = self.client()
        one, two = self.contractor(on_cfp=Contractor.nothing), self.contractor(cost=2 * CREDIT)
        self.ready(one, two)
        task = client.announce(skill=self.skill, window_us=6 * SECOND)
        self.wait(lambda: one.cfps and two.cfps and not two._unheard, 'one bid')
        second = Broker(self.directory / unique('second')).start()
        self.addCleanup(self.reinstate, second)
        one.bid(one.cfps[0], 1 * CREDIT)  # said to the first, which may not write any more
        self.wait(lambda: self.broker.process.poll() is not None, 'the first ends')
        self.assertEqual(self.broker.process.returncode, 3)
        self.assertIn('reign-lost', self.broker.log.read_text())
        for peer in self.peers:
            peer.url = second.url
        self.check_once(task, one)

    def reinstate(self, second):
        self.assertEqual(second.stop(), 0)
        if self.broker.process.poll() is not None:
            type(self).broker = Broker(self.directory, *self.broker_options).start()

    def test_sigterm_drains_what_was_agreed_and_says_bye(self):
        client = self.client(10_000)
        workers = [self.contractor(cost=cost * CREDIT, slots=1000) for cost in (1, 2)]
        self.ready(*workers)
        keys = [client.say_announce(skill=self.skill, window_us=5 * SECOND) for _ in range(100)]
        self.wait(lambda: sum(bool(client.answers(key)) for key in keys) > 20, 'some are announced')
        self.broker.process.terminate()
        self.wait(lambda: self.broker.process.poll() is not None, 'the broker ends')
        self.assertEqual(self.broker.process.returncode, 0)
        agreed = {client.answers(key)[0].conversation for key in keys if client.answers(key)}
        held = {
            uuid.UUID(row['task_id'])
            for row in self.sql.rows(
                f"select task_id from tender.task where skill = '{self.skill}'"
            )
        }
        self.assertLessEqual(agreed, held)
        self.wait(
            lambda: 98 in [m.fields.get('reason') for m in client.log if m.performative == 'bye'],
            'the client is told',
        )
        self.broker.start()
        self.wait(lambda: all(client.answers(key) for key in keys), 'the rest is announced')
        self.wait(
            lambda: self.sql.value(
                f"select count(*) from tender.task where skill = '{self.skill}' "
                f"and status = 'done'"
            )
            == 100,
            'all are done',
        )

    def test_shutdown_while_the_database_is_away_waits_without_turning_in_circles(self):
        self.assertEqual(self.broker.stop(), 0)
        broker = Broker(self.directory / unique('waiting'), '--shutdown', '2s').start()
        self.addCleanup(self.broker.start)
        self.wait(lambda: 'lease-renewed' in broker.log.read_text(), 'its first batch')
        control = os.environ['TENDER_TEST_PG_CTL']
        subprocess.run([control, 'stop', '-m', 'immediate'], check=True)
        try:
            self.wait(lambda: 'ledger-down' in broker.log.read_text(), 'the database is missed')
            self.assertEqual(broker.stop(), 0)
        finally:
            subprocess.run([control, 'start'], check=True)
            self.sql.close()
        said = broker.log.read_text()
        self.assertIn('event=shutdown-cut', said)
        # A hundred a second are due; in a circle it takes a hundred thousand.
        turns = int(re.search(r'event=ended .* turns=(\d+)', said).group(1))
        self.assertLess(turns, 5000)


if __name__ == '__main__':
    main()
