#!/usr/bin/python3
"""Bundles, counted resources and draws: who is asked, and that nothing is promised twice."""
import json
from harness import CREDIT, HOUR, MINUTE, SECOND, Contractor, SqlError, SystemTest, main
from wire import NIL


class Needs(SystemTest):
    def having(self, *more, **options):
        """A contractor that offers the skill of the test and these names besides."""
        contractor = self.contractor(**options)
        contractor.offer([self.skill, *more], slots=16)
        contractor.offers = 2
        return contractor

    def ready(self, *contractors):
        self.wait(
            lambda: all(
                len(c.got('agree', NIL)) >= getattr(c, 'offers', 1) for c in contractors
            ),
            'all offers are agreed',
        )

    def overlaps(self, resource):
        """Pairs of commitments that needed the name at one instant."""
        return self.sql.rows(
            f"""
            with held as (
                select c.commitment_id, c.awarded_at,
                       coalesce(c.ended_at, 'infinity') as ended_at
                from tender.commitment c
                join tender.task t using (task_id)
                where '{resource}' = any (t.skills)
            )
            select a.commitment_id, b.commitment_id as other
            from held a join held b on a.commitment_id < b.commitment_id
                and tstzrange(a.awarded_at, a.ended_at) && tstzrange(b.awarded_at, b.ended_at)"""
        )

    def test_one_lock_is_never_held_twice_by_twenty_tasks(self):
        lock = 'dataset.lock/wiki'
        holding, most = set(), []

        def work(contractor, award):
            holding.add(award.conversation)
            most.append(len(holding))
            contractor.acknowledge(award)
            contractor.report('inform-progress', award, 1)
            holding.discard(award.conversation)
            contractor.report('inform-done', award, content=b'locked, written, unlocked')

        client = self.client()
        one = self.having(lock, cost=2 * CREDIT, on_award=work)
        two = self.having(lock, cost=3 * CREDIT, on_award=work)
        self.ready(one, two)
        self.tender('resource', 'set', lock, 1, check=0)
        tasks = [
            client.announce(
                skill=self.skill,
                skills=[lock],
                units=2,
                backoff_us=SECOND // 10,
                window_us=SECOND,
                rounds=3,
                deadline_at_us=self.in_an_hour(),
            )
            for _ in range(20)
        ]
        self.wait(
            lambda: self.sql.value(
                "select count(*) from tender.task t where t.ended_at is not null and "
                f"t.task_id in ({self.quoted(tasks[:5])})"
            )
            >= 1,
            'some are done',
        )
        self.broker.kill()
        self.broker.start()
        for task in tasks:
            self.await_end(task, 'done')
        self.assertEqual(self.overlaps(lock), [])
        self.assertEqual(max(most), 1)
        self.assertGreaterEqual(len(most), 20)
        row = self.sql.row(f"select * from tender.resource where resource = '{lock}'")
        self.assertEqual((row['count'], row['held'], row['holders']), (1, 0, []))
        taken = self.sql.value(
            "select count(*) from tender.bid where reason = 'resource-taken' "
            f"and task_id in ({self.quoted(tasks)})"
        )
        self.assertGreater(taken, 0, 'they did compete')

    def in_an_hour(self):
        return self.sql.value(
            "select (extract(epoch from clock_timestamp()) * 1000000)::bigint"
        ) + HOUR

    def quoted(self, tasks):
        return ', '.join(f"'{task}'" for task in tasks)

    def test_who_lacks_one_name_is_not_asked(self):
        client = self.client()
        whole = self.having('gpu.a100', 'lock.small', cost=4 * CREDIT)
        part, other = self.having('gpu.a100', cost=CREDIT), self.contractor(cost=CREDIT)
        self.ready(whole, part, other)
        task = client.announce(
            skill=self.skill, skills=['gpu.a100', 'lock.small'], window_us=SECOND
        )
        self.await_end(task, 'done')
        self.assertEqual([c['owner'] for c in self.commitments(task)], [whole.name])
        self.assertEqual((part.cfps, other.cfps), ([], []))
        (cfp,) = whole.cfps
        self.assertEqual(cfp.fields['skills'], ['gpu.a100', 'lock.small'])
        self.assertEqual(
            self.sql.value(f"select skills from tender.task where task_id = '{task}'"),
            [self.skill, 'gpu.a100', 'lock.small'],
        )

    def test_an_operator_counts_by_command_and_in_sql(self):
        client = self.client()
        owner = self.having('press', cost=CREDIT, on_award=Contractor.acknowledge)
        self.ready(owner)
        self.tender('resource', 'set', 'press', 2, check=0)
        task = client.announce(skill=self.skill, skills=['press'], window_us=SECOND)
        self.wait(lambda: owner.awards, 'the award')
        (row,) = json.loads(self.tender('resource', 'list', '-o', 'json', check=0).stdout)
        self.assertEqual(
            (row['resource'], str(row['count']), str(row['held']), row['holders']),
            ('press', '2', '1', f'{task}/1'),
        )
        refused = self.tender('resource', 'set', 'press', 0, check=4)
        self.assertIn('in-use', refused.stdout + refused.stderr)
        self.tender('resource', 'set', 'press', 1, check=0)
        owner.report('inform-done', owner.awards[0], content=b'printed')
        self.await_end(task, 'done')
        request = self.sql.value("select tender.set_resource('press', 0)")
        self.wait(
            lambda: self.sql.value(f"select answer from tender.request where request = {request}"),
            'the answer',
        )
        self.assertEqual(self.sql.rows('select * from tender.resource'), [])
        self.tender('resource', 'set', 'Press', 1, check=2)
        with self.assertRaises(SqlError):
            self.sql.run("select tender.set_resource('press', -1)")
        with self.assertRaises(SqlError):
            self.sql.run("set role tender_principal; select tender.set_resource('press', 1)")
        self.sql.run('reset role')

    def test_sql_announces_a_bundle_for_few(self):
        client = self.client()
        owners = [self.having('gpu.sql', cost=(n + 1) * CREDIT) for n in range(4)]
        self.ready(*owners)
        self.sql.run(
            f"select tender.announce(p_principal => '{client.principal}', "
            f"p_skill => '{self.skill}', p_units => 1, p_ceiling => 5, p_key => 'bundle-in-sql', "
            "p_window => interval '5 s', p_due => interval '1 h', "
            "p_needs => array['gpu.sql'], p_invite_max => 2)"
        )
        task = self.wait(
            lambda: self.sql.rows("select * from tender.task where key = 'bundle-in-sql'"),
            'the task',
        )[0]
        self.assertEqual(task['skills'], [self.skill, 'gpu.sql'])
        self.await_end(task['task_id'], 'done')
        self.assertEqual(sum(len(owner.cfps) for owner in owners), 2)
        self.assertEqual(
            self.sql.value(f"select drawn from tender.round where task_id = '{task['task_id']}'"), 2
        )

    def test_few_of_many_are_drawn_and_nobody_else_may_bid(self):
        client = self.client()
        many = [self.contractor(cost=(n + 1) * CREDIT) for n in range(12)]
        self.ready(*many)
        task = client.announce(skill=self.skill, invite_max=4, ceiling_micro=20 * CREDIT)
        self.await_end(task, 'done')
        (opened,) = self.entries(task, 'opened')
        asked = {c.name for c in many if c.cfps}
        self.assertEqual((len(asked), set(opened['drawn'])), (4, asked))
        self.assertEqual(set(self.bids(task)), asked)
        costs = sorted(c.cost for c in many if c.name in asked)
        self.assertEqual(self.commitments(task)[0]['price'] * CREDIT, costs[1])

    def test_who_was_drawn_is_told_again_after_a_restart(self):
        client = self.client()
        many = [self.contractor(cost=CREDIT, on_cfp=Contractor.nothing) for _ in range(8)]
        self.ready(*many)
        task = client.announce(skill=self.skill, invite_max=3, window_us=5 * MINUTE)
        self.wait(lambda: sum(len(c.cfps) for c in many) == 3, 'the cfps')
        drawn = {c.name for c in many if c.cfps}
        before = {c.name: len(c.got('cfp', task)) for c in many}
        for contractor in many:
            contractor.on_cfp = Contractor.bid
        self.broker.kill()
        self.broker.start()
        self.wait(
            lambda: all(
                len(c.got('cfp', task)) > before[c.name] for c in many if c.name in drawn
            ),
            'they are told again',
        )
        self.wait(
            lambda: sum(len(e['answers']) for e in self.entries(task, 'answered')) == 3,
            'their bids are recorded',
        )
        client.ask('cancel', task)
        self.await_end(task, 'cancelled')
        self.assertEqual(set(self.bids(task)), drawn)


if __name__ == '__main__':
    main()
