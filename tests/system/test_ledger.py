#!/usr/bin/python3
"""The ledger seen from outside (L1, L2, L6-L8): closers, keys, holds, budgets and every ending."""
import os, subprocess, uuid
from harness import CREDIT, HOUR, MINUTE, SECOND, Client, Contractor, SystemTest, main, unique


class Ledger(SystemTest):
    def test_L1_eight_closers_of_one_round_make_one_award(self):
        client = self.client()
        closers = [Client(self, unique('closer'), client.principal) for _ in range(8)]
        self.peers += closers
        for turn in range(5):
            skill = f'{self.skill}.{turn}'
            single = self.contractor(skill=skill, cost=turn + 1, on_award=Contractor.acknowledge)
            self.ready(single)
            task = client.announce(skill=skill, window_us=10 * MINUTE)
            self.wait(lambda: single.cfps and not single._unheard, 'the bid is heard')
            programs = [
                self.start(
                    os.environ['TENDER'],
                    'close',
                    task,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                for _ in range(8 if turn == 0 else 0)
            ]
            for closer in closers:
                closer.send('close', task)
            self.wait(
                lambda: all(c.got('agree', task) or c.got('refuse', task) for c in closers),
                'every closer is answered',
            )
            self.wait(lambda: all(p.poll() is not None for p in programs), 'the programs end')
            agreed = sum(bool(c.got('agree', task)) for c in closers) + sum(
                p.returncode == 0 for p in programs
            )
            self.assertEqual(agreed, 1)
            self.assertEqual(
                {m.fields['reason'] for c in closers for m in c.got('refuse', task)} - {94}, set()
            )
            self.wait(lambda: single.awards, 'the award')
            self.assertEqual(len(self.entries(task, 'awarded')), 1)
            self.assertEqual(len(self.commitments(task)), 1)
            single.finish(single.awards[0])
            self.await_end(task, 'done')

    def test_L2_key_names_one_task_until_it_is_announced_again(self):
        client = self.client()
        terms = dict(skill=self.skill, key='the-key', window_us=10 * MINUTE)
        first = client.announce(**terms)
        self.assertEqual(client.announce(**terms), first, 'the same body is the same task')
        conflict = client.announce(**{**terms, 'units': 2})
        self.assertEqual((conflict.performative, conflict.fields['reason']), ('refuse', 82))
        early = client.announce(**terms, again=first.bytes)
        self.assertEqual(early.performative, 'refuse', 'it has not ended')
        self.assertEqual(client.ask('cancel', first).performative, 'agree')
        self.await_end(first, 'cancelled')
        self.assertEqual(client.announce(**terms), first, 'ended or not')
        second = client.announce(**terms, again=first.bytes)
        self.assertIsInstance(second, uuid.UUID)
        self.assertNotEqual(second, first)
        self.assertEqual(client.announce(**terms, again=first.bytes), second, 'again, again')
        self.assertEqual(client.ask('cancel', second).performative, 'agree')
        self.await_end(second, 'cancelled')
        stale = client.announce(**{**terms, 'units': 3}, again=first.bytes)
        self.assertEqual((stale.performative, stale.fields['reason']), ('refuse', 99))
        self.assertEqual(self.entries(second, 'announced')[0]['again'], str(first))
        other = self.client()
        elsewhere = other.announce(**terms)
        self.assertNotIn(elsewhere, (first, second), 'keys are per account')
        # by the command, where the daemon may have forgotten: the key, exit 4 for a conflict
        flags = (
            'announce',
            '-p',
            client.principal,
            '-s',
            self.skill,
            '-c',
            3,
            '-k',
            'cli-key',
            '--window',
            '10m',
        )
        task = self.tender(*flags, '-u', 1, check=0).stdout.strip()
        self.assertEqual(self.tender(*flags, '-u', 1, check=0).stdout.strip(), task)
        self.tender(*flags, '-u', 2, check=4)
        self.tender('cancel', task, '-p', client.principal, check=0)
        again = self.tender(*flags, '-u', 2, '--again', task, check=0).stdout.strip()
        self.assertNotEqual(again, task)

    def test_L2_key_is_known_after_the_broker_has_forgotten_the_task(self):
        client = self.client()
        terms = dict(skill=self.skill, key='kept', window_us=10 * MINUTE)
        task = client.announce(**terms)
        client.ask('cancel', task)
        self.await_end(task, 'cancelled')
        self.broker.kill()
        self.broker.start()
        self.assertEqual(client.announce(**terms), task)
        conflict = client.announce(**{**terms, 'units': 2})
        self.assertEqual((conflict.performative, conflict.fields['reason']), ('refuse', 82))
        again = client.announce(**terms, again=task.bytes)
        self.assertNotEqual(again, task)
        self.assertEqual(
            client.ask('cancel', task).performative, 'agree', 'it is what was asked for'
        )
        refusal = client.ask('close', task)
        self.assertIn(refusal.fields['reason'], (88, 94))
        unknown = client.ask('cancel', uuid.UUID('0192f0c8-1a2b-7c3d-8e4f-5a6b7c8d9eaf'))
        self.assertEqual((unknown.performative, unknown.fields['reason']), ('refuse', 81))

    def test_L6_held_task_waits_for_a_person(self):
        client = self.client()
        task = client.announce(
            skill=self.skill,
            rounds=1,
            window_us=SECOND,
            fallback=2,
            backoff_us=0,
            deadline_at_us=4102444800 * SECOND,
        )
        self.wait(
            lambda: self.sql.value(f"select status from tender.task where task_id = '{task}'")
            == 'held',
            'it is held',
        )
        row = self.sql.row(
            f"select status, reason, ended_at from tender.task where task_id = '{task}'"
        )
        self.assertEqual(row, {'status': 'held', 'reason': 'held-by-fallback', 'ended_at': None})
        worker = self.contractor(cost=1)
        self.ready(worker)
        self.assertEqual((worker.cfps, self.account(client.principal)['reserved']), ([], 10))
        self.tender_served('release', task, check=0)
        self.wait(lambda: worker.cfps, 'it goes on')
        row = self.await_end(task)
        self.assertEqual((row['status'], row['round']), ('done', 2))
        self.assertEqual(self.tender_served('release', task)[0], 4)
        other = client.announce(skill=self.skill + '.x', window_us=MINUTE)
        refusal = client.ask('release', other)
        self.assertEqual((refusal.performative, refusal.fields['reason']), ('refuse', 93))

    def test_L6_fallback_contractor_is_offered_the_rest_at_its_ceiling(self):
        client = self.client()
        named = self.contractor(
            'named',
            on_cfp=lambda c, cfp: c.decline(cfp) if cfp.fields['round'] == 1 else c.bid(cfp, 1),
        )
        self.ready(named)
        task = client.announce(
            skill=self.skill,
            units=4,
            rounds=1,
            window_us=3 * SECOND,
            fallback=3,
            contractor=named.name,
        )
        self.await_end(task, 'done')
        self.assertEqual(
            [(c['owner'], c['price'], c['paid']) for c in self.commitments(task)],
            [(named.name, 10, 10)],
        )

    def test_L7_budget_that_ends_awards_nothing_more_and_what_runs_is_known(self):
        client = self.client(15)
        worker = self.contractor(cost=2 * CREDIT, on_award=Contractor.acknowledge)
        self.ready(worker)
        running = client.announce(skill=self.skill, close_alone=1)
        award = self.wait(lambda: worker.awards, 'the award')[0]
        refused = client.announce(skill=self.skill, close_alone=1)
        self.assertEqual((refused.performative, refused.fields['reason']), ('refuse', 83))
        self.assertEqual(self.tender('account', 'fund', '--', client.principal, '-6').returncode, 4)
        self.tender('account', 'fund', '--', client.principal, '-5', check=0)
        self.assertEqual(
            self.account(client.principal),
            {'available': 0, 'reserved': 10, 'spent': 0, 'earned': 0},
        )
        self.assertEqual(
            [(c['owner'], c['status'], c['price']) for c in self.commitments(running)],
            [(worker.name, 'active', 10)],
        )
        small = client.announce(skill=self.skill, ceiling_micro=1, close_alone=1)
        self.assertEqual(small.fields['reason'], 83)
        worker.finish(award)
        self.await_end(running, 'done')
        self.assertEqual(
            self.account(client.principal),
            {'available': 0, 'reserved': 0, 'spent': 10, 'earned': 0},
        )

    def test_L8_every_ending_has_its_own_reason(self):
        client = self.client(10_000)
        behave = {
            'done': Contractor.finish,
            'fail': lambda c, a: (c.acknowledge(a), c.fail(a, 0, 47)),
            'decline': lambda c, a: c.fail(a, 0, 44),
            'silence': Contractor.nothing,
            'work': Contractor.acknowledge,
        }
        # behaviour, terms, what happens meanwhile, task's state and reason, commitment's
        table = [
            ('done', {}, None, 'done', None, 'fulfilled', 'completed'),
            ('fail', {}, None, 'unallocated', 'nobody-left', 'failed', 'contractor-failed'),
            ('decline', {}, None, 'unallocated', 'nobody-left', 'declined', 'declined'),
            (
                'silence',
                {'ack_us': SECOND},
                None,
                'unallocated',
                'nobody-left',
                'declined',
                'not-acknowledged',
            ),
            (
                'work',
                {'due_us': SECOND},
                None,
                'unallocated',
                'nobody-left',
                'lapsed',
                'due-passed',
            ),
            (
                'work',
                {'heartbeat_us': SECOND},
                'vanish',
                'unallocated',
                'rounds-exhausted',
                'lapsed',
                'heartbeat-missed',
            ),
            (
                'work',
                {},
                'cancel',
                'cancelled',
                'cancelled-by-client',
                'cancelled',
                'cancelled-by-client',
            ),
            (
                'work',
                {},
                'operator',
                'cancelled',
                'cancelled-by-operator',
                'cancelled',
                'cancelled-by-operator',
            ),
            (
                'work',
                {'deadline': 4 * SECOND},
                None,
                'unallocated',
                'deadline-passed',
                'lapsed',
                None,
            ),
            (
                'fail',
                {'rounds': 1},
                None,
                'unallocated',
                'rounds-exhausted',
                'failed',
                'contractor-failed',
            ),
            (
                'fail',
                {'rounds': 1, 'fallback': 2},
                None,
                'held',
                'held-by-fallback',
                'failed',
                'contractor-failed',
            ),
            (None, {'rounds': 1}, None, 'unallocated', 'rounds-exhausted', None, None),
            (
                None,
                {'deadline': 3 * SECOND, 'rounds': 100},
                None,
                'unallocated',
                'deadline-passed',
                None,
                None,
            ),
            (
                None,
                {'rounds': 1, 'fallback': 3, 'contractor': 'nobody'},
                None,
                'unallocated',
                'fallback-declined',
                None,
                None,
            ),
            (None, {'window_us': HOUR}, 'cancel', 'cancelled', 'cancelled-by-client', None, None),
            (
                None,
                {'window_us': HOUR},
                'operator',
                'cancelled',
                'cancelled-by-operator',
                None,
                None,
            ),
        ]
        tasks = []
        for number, (behaviour, terms, meanwhile, *_) in enumerate(table):
            skill, terms, worker = f'{self.skill}.{number}', dict(terms), None
            if behaviour:
                worker = self.contractor(
                    skill=skill,
                    cost=1,
                    on_award=behave[behaviour],
                    heartbeat_us=500_000,
                    eta_us=SECOND if 'due_us' in terms else HOUR,
                )
                self.ready(worker)
            if 'deadline' in terms:
                terms['deadline_at_us'] = self.sql.value(
                    'select (extract(epoch from clock_timestamp()) * 1e6)::bigint'
                ) + terms.pop('deadline')
            terms = {
                **dict(skill=skill, window_us=2 * SECOND, close_alone=1, backoff_us=0, rounds=3),
                **terms,
            }
            task = client.announce(**terms)
            tasks.append(task)
            if worker and behaviour not in ('done', 'fail', 'decline'):
                self.wait(lambda: worker.awards and not worker._unheard, 'the award is taken')
            if meanwhile == 'vanish':
                worker.lost()
                self.peers.remove(worker)
            elif meanwhile == 'cancel':
                self.assertEqual(client.ask('cancel', task).performative, 'agree')
            elif meanwhile == 'operator':
                self.tender_served('cancel', task, check=0)
        for task, (behaviour, terms, meanwhile, state, reason, commitment, why) in zip(
            tasks, table
        ):
            with self.subTest(behaviour=behaviour, terms=terms, meanwhile=meanwhile):
                row = self.wait(
                    lambda: next(
                        iter(
                            self.sql.rows(
                                f"select * from tender.task "
                                f"where task_id = '{task}' and status = '{state}'"
                            )
                        ),
                        None,
                    ),
                    f'it is {state}',
                    30,
                )
                if reason:
                    self.assertEqual(row['reason'], reason)
                rows = self.commitments(task)
                self.assertEqual([c['status'] for c in rows], [commitment] if commitment else [])
                if why:
                    self.assertEqual(rows[0]['reason'], why)

    def test_L10_a_request_that_nobody_was_notified_of_is_heard(self):
        """As where the queue of notifications is full: it is only a hint, and left out then."""
        self.sql.run(
            """insert into tender_ledger.inbox (is_operator, kind, peer, principal, body)
            values (true, 'fund', 'postgres', 'quiet', '{"amount_micro": 5000000}')"""
        )
        self.wait(
            lambda: self.sql.rows("select 1 from tender.account where principal = 'quiet'"),
            'the money that was asked for',
        )
        self.assertEqual(self.account('quiet')['available'], 5)


if __name__ == '__main__':
    main()
