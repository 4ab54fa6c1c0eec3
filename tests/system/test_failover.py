#!/usr/bin/python3
"""The database fails over (T7): the primary is killed under load and its standby is promoted.

Two clusters of tests/support/failover.py. With a synchronous standby nothing acknowledged is
lost. TENDER_FAILOVERS sets how often the one under load fails over (2).
"""
import os, pathlib, sys, threading, uuid

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'support'))
import failover
from enrolment import make_keys
from harness import CREDIT, SECOND, SystemTest, main

FAILOVERS = int(os.environ.get('TENDER_FAILOVERS', 2))


class FailoverTest(SystemTest):
    is_synchronous = True

    @classmethod
    def setUpClass(cls):
        cls.pair = failover.Pair(cls.is_synchronous)
        cls.addClassCleanup(cls.pair.close)
        os.environ['TENDER_DATABASE'] = cls.pair.conninfo
        make_keys(cls)
        super().setUpClass()

    def served(self, action, what):
        """Runs what takes long beside the peers, which are served meanwhile."""
        errors = []

        def run():
            try:
                action()
            except Exception as error:
                errors.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        self.wait(lambda: not thread.is_alive(), what)
        thread.join()
        if errors:
            raise errors[0]
        self.sql.close()

    def announce_many(self, client, count):
        return [client.say_announce(skill=self.skill, window_us=SECOND) for _ in range(count)]

    def done(self):
        return self.sql.value(
            f"select count(*) from tender.task where skill = '{self.skill}' and status = 'done'"
        )

    def agreed(self, client, keys):
        return {
            client.answers(key)[0].conversation
            for key in keys
            if client.answers(key) and client.answers(key)[0].performative == 'agree'
        }


class Asynchronous(FailoverTest):
    """What the standby has not is lost, and everybody whom it concerns is told."""

    is_synchronous = False

    @classmethod
    def _end_broker(cls):
        assert cls.broker.stop() == 0

    def tearDown(self):
        self.sql.run('select tender.close_losses()')
        super().tearDown()

    def cut_and_announce(self, client, worker):
        """A task that the standby has, and one that it has not; both agreed."""
        kept = client.announce(skill=self.skill, window_us=60 * SECOND)
        self.pair.wait(self.pair.has_caught_up, 'the standby has all')
        self.pair.cut_off()
        lost = client.announce(skill=self.skill, window_us=60 * SECOND)
        self.wait(lambda: worker.got('cfp', lost) and not worker._unheard, 'its bid is heard')
        return kept, lost

    def check_told(self, told, kept, lost):
        """The log, SQL and `tender check` say it, until an operator has dealt with it."""
        count = 'select count(*) from tender.task where task_id = '
        self.assertEqual(self.sql.value(f"{count} '{kept}'"), 1)
        self.assertEqual(self.sql.value(f"{count} '{lost}'"), 0)
        noted = 'select * from tender.loss where closed_at is null'
        self.wait(lambda: self.sql.rows(noted), 'the loss is noted')
        row = self.sql.row(noted)
        self.assertGreaterEqual(row['batches'], 1)
        self.assertEqual(row['peer'], told)
        self.assertIn('level=error event=commits-lost', self.broker.log.read_text())
        check = self.tender('check', check=2)
        self.assertIn('losses', check.stdout)
        self.assertIn('critical', check.stdout)
        self.sql.run('select tender.close_losses()')
        self.tender('check', check=0)

    def test_T7_broker_that_recalls_after_a_loss_does_not_go_back(self):
        client, worker = self.client(), self.contractor(cost=CREDIT)
        self.ready(worker)
        kept, lost = self.cut_and_announce(client, worker)
        old, new = self.pair.primary, self.pair.standby
        end = 'select pg_terminate_backend(backend_pid) from tender_ledger.reign'

        def is_left():  # whichever it tries first, until it is the new one
            old.sql(end, 'tender')
            return 'ledger-behind' in self.broker.log.read_text()

        def promote():  # and the old one goes on, as if nothing were
            new.control('promote')
            self.pair.wait(is_left, 'the broker has found the new one')

        self.served(promote, 'the standby is promoted')
        after = client.announce(skill=self.skill, window_us=SECOND)
        count = 'select count(*) from tender.task where task_id = '
        self.assertEqual(old.sql(f"{count} '{after}'", 'tender'), '0')
        self.assertEqual(new.sql(f"{count} '{after}'", 'tender'), '1')
        old.stop('immediate')
        self.pair.primary, self.pair.standby = new, old
        self.sql.close()
        self.check_told('tender', kept, lost)
        self.await_end(after, 'done')
        self.served(self.pair.rebuild, 'the old primary follows')

    def test_T7_living_broker_finds_that_its_batches_are_gone(self):
        client, worker = self.client(), self.contractor(cost=CREDIT)
        self.ready(worker)
        kept, lost = self.cut_and_announce(client, worker)
        self.served(lambda: self.pair.fail_over('kill'), 'the standby is promoted')
        self.wait(lambda: 'commits-lost' in self.broker.log.read_text(), 'it is said')
        self.check_told('tender', kept, lost)
        refusal = client.ask('query', lost)
        self.assertEqual((refusal.performative, refusal.fields['reason']), ('refuse', 81))
        again = client.announce(skill=self.skill, close_alone=1)
        self.await_end(again, 'done')
        self.served(self.pair.rebuild, 'the old primary follows')

    def test_T7_new_broker_hears_of_it_by_receipts(self):
        client, worker = self.client(), self.contractor(cost=CREDIT)
        self.ready(worker)
        kept, lost = self.cut_and_announce(client, worker)
        self.broker.kill()  # the only one that knew
        self.served(lambda: self.pair.fail_over('kill'), 'the standby is promoted')
        self.served(self.broker.start, 'another broker')
        self.wait(lambda: client.losses and worker.losses, 'the peers are told')
        self.check_told(
            self.sql.value('select peer from tender.loss where closed_at is null'), kept, lost
        )
        self.assertEqual(client.ask('query', lost).fields['reason'], 81)
        self.assertEqual((client.losses, worker.losses), (1, 1))
        self.served(self.pair.rebuild, 'the old primary follows')


class Synchronous(FailoverTest):
    def test_T7_promotion_under_load_loses_nothing_that_was_acknowledged(self):
        client = self.client(100_000)
        workers = [self.contractor(cost=cost * CREDIT, slots=1000) for cost in (1, 2, 3)]
        self.ready(*workers)
        keys = []
        for turn in range(FAILOVERS):
            keys += self.announce_many(client, 30)
            self.wait(lambda: len(self.agreed(client, keys)) > 30 * turn + 5, 'some are agreed')
            keys += self.announce_many(client, 30)
            self.served(
                lambda: self.pair.fail_over(['kill', 'immediate', 'fast'][turn % 3]),
                'the standby is promoted',
            )
            self.wait(lambda: len(self.agreed(client, keys)) == len(keys), 'all are agreed')
            held = {
                uuid.UUID(row['task_id'])
                for row in self.sql.rows(
                    f"select task_id from tender.task where skill = '{self.skill}'"
                )
            }
            self.assertEqual(self.agreed(client, keys), held)
            self.wait(lambda: self.done() == len(keys), 'all are done')
            self.served(self.pair.rebuild, 'the old primary follows')
        self.assertIsNone(self.broker.process.poll())
        paid = self.sql.value(
            f"""select count(*) from tender.commitment c join tender.task t using (task_id)
            where t.skill = '{self.skill}' and c.paid > 0"""
        )
        self.assertEqual(paid, len(keys))

    def test_primary_of_the_past_is_not_written_again(self):
        client, worker = self.client(), self.contractor(cost=CREDIT)
        self.ready(worker)
        before = client.announce(skill=self.skill, close_alone=1)
        self.await_end(before, 'done')
        self.served(lambda: self.pair.fail_over('immediate'), 'the standby is promoted')
        after = client.announce(skill=self.skill, close_alone=1)
        old, new = self.pair.standby, self.pair.primary
        self.served(old.start, 'somebody starts the old primary')
        old.sql("alter system set synchronous_standby_names = ''")
        old.sql('select pg_reload_conf()')
        for _ in range(2):  # each time another of the two is tried first
            self.served(
                lambda: new.sql(
                    'select pg_terminate_backend(backend_pid) from tender_ledger.reign', 'tender'
                ),
                'the link breaks',
            )
            again = client.announce(skill=self.skill, close_alone=1)
            count = 'select count(*) from tender.task where task_id = '
            self.assertEqual(old.sql(f"{count} '{again}'", 'tender'), '0')
            self.assertEqual(new.sql(f"{count} '{again}'", 'tender'), '1')
        old.stop('immediate')
        self.sql.close()
        self.await_end(after, 'done')
        self.served(self.pair.rebuild, 'the old primary follows')


if __name__ == '__main__':
    main()
