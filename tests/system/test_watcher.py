#!/usr/bin/python3
"""The watcher (W1-W3, W5-W8): leases, due times near and far, and tasks that nobody can do."""
import time
from harness import CREDIT, DAY, HOUR, SECOND, Contractor, SystemTest, instant, main


class Watcher(SystemTest):
    def test_W1_completion_and_lapse_never_both_win_and_both_sides_are_told_the_same(self):
        client = self.client(10_000)
        racer = self.contractor(
            cost=1, eta_us=1_500_000, on_award=Contractor.acknowledge, slots=100
        )
        mute = self.contractor()  # the rounds close together, at the window's end
        self.ready(racer, mute)
        tasks = [
            client.announce(
                skill=self.skill, rounds=1, window_us=1 * SECOND, ceiling_micro=CREDIT + n
            )
            for n in range(40)
        ]
        self.wait(lambda: len(racer.awards) == 40, 'the awards')
        for n, award in enumerate(sorted(racer.awards, key=lambda a: a.fields['due_at_us'])):
            # from a little before its due time to a little after
            self.wait(
                lambda: time.time() * 1e6 >= award.fields['due_at_us'] + (n - 25) * 1500, 'its time'
            )
            racer.report('inform-done', award)
        rows = [self.await_end(task) for task in tasks]
        for task, row in zip(tasks, rows):
            (commitment,) = self.commitments(task)
            self.assertIn(commitment['status'], ('fulfilled', 'lapsed'))
            done = commitment['status'] == 'fulfilled'
            self.assertEqual(commitment['paid'] > 0, done)
            self.assertEqual(row['status'], 'done' if done else 'unallocated')
            self.assertEqual(instant(commitment['ended_at']) <= instant(commitment['due_at']), done)
            told = self.wait(
                lambda: racer.got('inform', task) or racer.got('cancel', task), 'the owner is told'
            )
            self.assertEqual(
                [(m.performative, m.fields['reason']) for m in told],
                [('inform', 60) if done else ('cancel', 64)],
            )
            self.assertEqual(len(self.entries(task, 'settled')), 1)
            if not done:
                late = self.wait(
                    lambda: racer.got('not-understood', task), 'the late report is answered'
                )
                self.assertIn(late[0].fields['reason'], (88, 89))
            end = self.wait(
                lambda: [m for m in client.told(task) if m.fields.get('task_state') in (6, 7)],
                'the client is told',
            )
            self.assertEqual(end[-1].fields['task_state'], 6 if done else 7)

    def test_W2_dead_holder_of_a_four_hour_task_lapses_in_three_intervals_and_a_live_one_renews(
        self,
    ):
        client = self.client()
        terms = dict(
            skill=self.skill,
            due_us=4 * HOUR,
            heartbeat_us=1 * SECOND,
            close_alone=1,
            rounds=2,
            backoff_us=0,
        )
        options = dict(
            cost=1, eta_us=4 * HOUR, on_award=Contractor.acknowledge, slots=1, heartbeat_us=300_000
        )
        dead, live = self.contractor('dead', **options), self.contractor('live', **options)
        self.ready(dead, live)
        tasks = [client.announce(**terms), client.announce(**terms)]
        self.wait(
            lambda: dead.awards and live.awards and not dead._unheard and not live._unheard,
            'both hold a task',
        )
        lost, kept = dead.awards[0].conversation, live.awards[0].conversation
        self.assertEqual({lost, kept}, set(tasks))
        silent_since = time.time()
        dead.lost()
        self.peers.remove(dead)
        self.wait(lambda: self.commitments(lost)[0]['status'] == 'lapsed', 'it lapses')
        first = self.commitments(lost)[0]
        self.assertEqual(first['reason'], 'heartbeat-missed')
        took = instant(first['ended_at']) / 1e6 - silent_since
        self.assertTrue(2 <= took < 5, f'it lapsed after {took} s')
        # the other has lived through as many intervals, and more
        self.wait(lambda: time.time() > silent_since + 4.5, 'time goes on')
        self.assertEqual(self.commitments(kept)[0]['status'], 'active')
        live.finish(live.awards[0])
        self.wait(lambda: any(a.conversation == lost for a in live.awards), 'the live one has it')
        for award in live.awards:
            live.finish(award)
        for task in tasks:
            self.await_end(task, 'done')

    def test_W3_failure_is_announced_again_at_once(self):
        client = self.client()
        failing = self.contractor(
            cost=1, on_award=lambda c, award: (c.acknowledge(award), c.fail(award, 0, 46))
        )
        other = self.contractor(cost=2 * CREDIT)
        self.ready(failing, other)
        task = client.announce(skill=self.skill, backoff_us=HOUR, window_us=4 * SECOND)
        self.await_end(task, 'done')
        settled = self.entries(task, 'settled')[0]
        opened = self.entries(task, 'opened')[1]
        self.assertLess(instant(opened['at']) - instant(settled['at']), SECOND)
        self.assertEqual(settled['said'], 'resource-lost')

    def test_W5_W6_poison_task_ends_with_every_reason_kept_and_blacklists_nobody(self):
        client = self.client()
        poisoned = set()

        def act(contractor, award):
            contractor.acknowledge(award)
            if poisoned:
                contractor.fail(award, 0, contractor.says, text=f'{contractor.name} cannot')
            else:
                contractor.report('inform-done', award)

        fleet = [self.contractor(cost=cost, on_award=act) for cost in (1, 2, 3)]
        for contractor, contractor.says in zip(fleet, (44, 46, 47)):
            pass
        self.ready(*fleet)
        poisoned.add('all')
        task = client.announce(skill=self.skill, rounds=10, window_us=2 * SECOND, backoff_us=0)
        row = self.await_end(task, 'unallocated')
        self.assertIn(row['reason'], ('nobody-left', 'rounds-exhausted'))
        self.assertEqual(
            [(c['owner'], c['status'], c['reason']) for c in self.commitments(task)],
            [(c.name, 'failed', 'contractor-failed') for c in fleet],
        )
        self.assertEqual(
            [(e['said'], e['text']) for e in self.entries(task, 'settled')],
            [
                ('unable', f'{fleet[0].name} cannot'),
                ('resource-lost', f'{fleet[1].name} cannot'),
                ('internal-error', f'{fleet[2].name} cannot'),
            ],
        )
        poisoned.clear()
        for _ in range(3):
            good = client.announce(skill=self.skill)
            self.await_end(good, 'done')
            self.assertEqual(
                self.sql.value(f"select invited from tender.round where task_id = '{good}'"), 3
            )
            self.assertEqual(self.commitments(good)[0]['owner'], fleet[0].name)

    def test_W7_far_due_times_are_kept_and_those_without_end_are_refused(self):
        client = self.client()
        worker = self.contractor(cost=1, eta_us=10**18, on_award=Contractor.acknowledge, slots=20)
        self.ready(worker)
        year_2038 = 2147558400 * SECOND  # 2038-01-20T00:00:00Z
        until_2038 = year_2038 - int(time.time()) * SECOND
        expected = {}
        for due in (25 * DAY, 366 * DAY, 3660 * DAY, min(until_2038, 3660 * DAY)):
            task = client.announce(
                skill=self.skill, due_us=due, close_alone=1, rounds=1, ack_us=25 * DAY
            )
            expected[task] = due
        deadline = client.announce(
            skill=self.skill,
            due_us=3660 * DAY,
            close_alone=1,
            deadline_at_us=year_2038 + 60 * SECOND,
        )
        self.wait(lambda: len(worker.awards) == 5 and not worker._unheard, 'the awards')
        for task, due in expected.items():
            (row,) = self.sql.rows(
                f"select a.awarded_at, c.due_at, c.status "
                f"from tender.award a join tender.commitment c "
                f"using (task_id, round) where task_id = '{task}'"
            )
            self.assertEqual(row['status'], 'active')
            self.assertLessEqual(abs(instant(row['due_at']) - instant(row['awarded_at']) - due), 0)
        (commitment,) = self.commitments(deadline)
        self.assertEqual(commitment['status'], 'active')
        self.assertLessEqual(instant(commitment['due_at']), year_2038 + 60 * SECOND)
        self.assertGreater(
            instant(commitment['due_at']), min(year_2038, int(time.time()) * SECOND + 3659 * DAY)
        )
        for award in worker.awards:
            worker.report('inform-done', award)
        for task in (*expected, deadline):
            self.await_end(task, 'done')
        for field, value in (
            ('due_us', 2**63),
            ('due_us', 2**63 - 1),
            ('window_us', 2**63 - 1),
            ('deadline_at_us', 2**63 - 1),
            ('deadline_at_us', 4102444800 * SECOND + 1),
            ('due_us', float('inf')),
            ('ack_us', 0),
        ):
            number = client.send(
                'announce',
                **{
                    **dict(
                        key=f'{field}-{value}',
                        skill=self.skill,
                        units=1,
                        ceiling_micro=1,
                        window_us=SECOND,
                        due_us=SECOND,
                    ),
                    field: value,
                },
            )
            answer = self.wait(
                lambda: [
                    m
                    for m in client.log
                    if m.performative == 'not-understood' and m.fields['number'] == number
                ],
                'an answer',
            )[0]
            self.assertEqual(answer.fields['field'], field)
            self.assertIn(answer.fields['reason'], (85, 86))
        announce = (
            'announce',
            '--principal',
            client.principal,
            '--skill',
            self.skill,
            '--units',
            1,
            '--ceiling',
            1,
        )
        for flags in (
            ('--due', 'infinity'),
            ('--due', '9223372036854775808us'),
            ('--due', '100000d'),
            ('--due', '0s'),
            ('--deadline', 'infinity'),
            ('--deadline', '2200-01-01T00:00:00Z'),
            ('--window', '1e309s'),
        ):
            done = self.tender(*announce, *flags, check=2)
            self.assertIn(flags[0].lstrip('-'), done.stderr)

    def test_W8_instant_without_a_zone_is_refused_and_one_with_a_zone_is_kept_in_utc(self):
        client = self.client()
        announce = (
            'announce',
            '--principal',
            client.principal,
            '--skill',
            self.skill,
            '--units',
            1,
            '--ceiling',
            1,
        )
        for text in (
            '2030-07-01T10:00:00',
            '2030-07-01 10:00',
            '2030-07-01',
            'tomorrow',
            '2030-07-01T10:00:00 CEST',
            '2030-02-30T10:00:00Z',
        ):
            self.tender(*announce, '--deadline', text, check=2)
        for text in (
            '2030-07-01T10:00:00+02:00',
            '2030-07-01T08:00:00Z',
            '2030-07-01T03:00:00.000000-05:00',
        ):
            done = self.tender(*announce, '--deadline', text, '--key', text, check=0)
            (entry,) = self.entries(done.stdout.strip(), 'announced')
            self.assertEqual(entry['deadline_at_us'], 1909123200 * SECOND)
        self.assertEqual(
            self.sql.value(f"select count(*) from tender.task where skill = '{self.skill}'"), 3
        )


if __name__ == '__main__':
    main()
