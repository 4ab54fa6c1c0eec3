#!/usr/bin/python3
"""Holds and quarantine: nothing new for whom one names, and nobody frames a rival."""
import json
from harness import CREDIT, HOUR, SECOND, SystemTest, main
from wire import NIL


def give_back(contractor, award):
    contractor.fail(award, 0)


class Holds(SystemTest):
    def winner(self, task):
        self.await_end(task, 'done')
        return self.commitments(task)[-1]['owner']

    def holds(self, where='not is_over'):
        return self.sql.rows(
            f"select * from tender.hold where ({where}) "
            f"and (skill is null or skill = '{self.skill}') order by since"
        )

    def test_a_held_contractor_gets_nothing_new_until_it_is_released(self):
        client = self.client()
        held, other = self.contractor(cost=CREDIT), self.contractor(cost=2 * CREDIT)
        self.ready(held, other)
        self.tender(
            'hold', f'contractor:{held.name}', '--reason', 'quality-check', '--text', 'empty files',
            check=0,
        )
        (row,) = self.holds(f"contractor = '{held.name}'")
        self.assertEqual((row['reason'], row['text']), ('quality-check', 'empty files'))
        self.assertTrue(row['author'] and row['until'])
        task = client.announce(skill=self.skill, window_us=SECOND)
        self.assertEqual(self.winner(task), other.name)
        invited = self.sql.value(f"select invited from tender.round where task_id = '{task}'")
        self.assertEqual(invited, 1)
        self.assertIn(held.name, self.tender('holds', check=0).stdout)
        waiting = client.announce(skill=self.skill, window_us=30 * SECOND)
        self.wait(lambda: other.got('cfp', waiting), 'the other is asked')
        self.assertEqual(held.got('cfp', waiting), [])
        self.tender('release', f'contractor:{held.name}', check=0)
        self.assertEqual(self.winner(waiting), held.name)
        self.assertEqual(self.holds(f"contractor = '{held.name}'"), [])
        self.tender('release', f'contractor:{held.name}', check=4)

    def test_a_hold_on_a_skill_ends_by_itself(self):
        client, contractor = self.client(), self.contractor(cost=CREDIT)
        self.ready(contractor)
        self.sql.run(
            f"select tender.hold('other', p_skill => '{self.skill}', "
            "p_until => clock_timestamp() + interval '2 s')"
        )
        self.wait(lambda: self.holds(), 'the hold is recorded')
        task = client.announce(skill=self.skill, window_us=60 * SECOND, close_alone=1)
        self.assertEqual(self.winner(task), contractor.name)
        self.assertEqual(self.holds(), [])
        self.assertGreaterEqual(
            self.sql.value(
                "select count(*) from tender_ledger.entry where kind = 27 and body::json ->> 'skill' "
                f"= '{self.skill}' and body::json ->> 'by' = 'tenderd'"
            ),
            1,
        )

    def test_a_task_is_stopped_in_its_round_and_behind_its_commitment(self):
        client = self.client()
        contractor = self.contractor(cost=CREDIT, on_award=lambda c, award: c.acknowledge(award))
        self.ready(contractor)
        open_task = client.announce(skill=self.skill, window_us=HOUR)
        self.wait(lambda: contractor.got('cfp', open_task), 'the round is open')
        self.tender('hold', open_task, '--reason', 'resource-lost', check=0)
        task = self.sql.row(f"select status, reason from tender.task where task_id = '{open_task}'")
        self.assertEqual((task['status'], task['reason']), ('held', 'resource-lost'))
        refused = client.ask('release', open_task)
        self.assertEqual((refused.performative, refused.fields['reason']), ('refuse', 87))
        busy = client.announce(skill=self.skill, units=4, window_us=SECOND, close_alone=1)
        (award,) = self.wait(lambda: contractor.awards, 'the award')
        self.tender('hold', f'task:{busy}', '--reason', 'other', '--until', '1h', check=0)
        self.broker.kill()
        self.broker.start()
        self.wait(
            lambda: contractor.got('welcome')[1:] and client.got('welcome')[1:], 'all are back'
        )
        contractor.fail(award, 1)
        self.wait(
            lambda: self.sql.value(f"select status from tender.task where task_id = '{busy}'")
            == 'held',
            'what is left is held',
        )
        held = {row['task_id']: row['reason'] for row in self.holds('task_id is not null')}
        self.assertEqual(held, {str(open_task): 'resource-lost', str(busy): 'other'})
        for task in (open_task, busy):
            self.tender('release', task, check=0)
            self.assertEqual(client.ask('cancel', task).performative, 'agree')

    def test_a_hold_behind_a_commitment_is_over_at_its_end(self):
        client = self.client()
        contractor = self.contractor(cost=CREDIT, on_award=lambda c, award: c.acknowledge(award))
        self.ready(contractor)
        task = client.announce(skill=self.skill, window_us=SECOND, close_alone=1)
        (award,) = self.wait(lambda: contractor.awards, 'the award')
        self.tender('hold', task, '--reason', 'other', '--until', '1s', check=0)
        own = f"task_id = '{task}'"
        self.wait(lambda: self.holds(own + ' and is_over'), 'its end')
        contractor.report('inform-done', award, content=b'result')
        self.await_end(task, 'done')
        self.assertEqual(self.holds(own), [])

    def test_only_operators_hold(self):
        client = self.client()
        refused = client.ask('hold', NIL, reason=48, contractor='kiln-1')
        self.assertEqual((refused.performative, refused.fields['reason']), ('refuse', 87))
        refused = client.ask('release', NIL, contractor='kiln-1')
        self.assertEqual((refused.performative, refused.fields['reason']), ('refuse', 87))
        self.tender('hold', 'contractor:kiln-1', '--reason', 'because', check=2)
        self.tender('hold', 'nonsense', '--reason', 'other', check=2)

    def fail_one(self, client, bad, good):
        task = client.announce(skill=self.skill, window_us=20 * SECOND)
        self.await_end(task, 'done')
        owners = [commitment['owner'] for commitment in self.commitments(task)]
        self.assertEqual(sorted(owners), sorted([bad.name, good.name]))

    def test_three_clients_quarantine_a_contractor_and_a_restart_forgets_none(self):
        clients = [self.client() for _ in range(3)]
        bad = self.contractor(cost=CREDIT, on_award=give_back)
        good = self.contractor(cost=2 * CREDIT)
        self.ready(bad, good)
        self.fail_one(clients[0], bad, good)
        self.fail_one(clients[1], bad, good)
        self.broker.kill()
        self.broker.start()
        self.wait(lambda: all(c.got('agree', NIL)[1:] for c in (bad, good)), 'both offer again')
        self.assertEqual(self.holds(f"contractor = '{bad.name}'"), [])
        self.fail_one(clients[2], bad, good)
        (row,) = self.wait(lambda: self.holds(f"contractor = '{bad.name}'"), 'the quarantine')
        self.assertEqual(
            (row['skill'], row['reason'], row['author']), (self.skill, 'quarantined', 'tenderd')
        )
        self.assertIn('3 clients', row['text'])
        task = clients[0].announce(skill=self.skill, window_us=SECOND)
        self.assertEqual(self.winner(task), good.name)
        self.assertEqual(self.entries(task, 'awarded')[0]['invited'], 1)

    def test_one_client_frames_no_rival_and_a_poison_task_strikes_nobody(self):
        client = self.client(principal=None)
        rival = self.contractor(cost=CREDIT, on_award=give_back)
        ally = self.contractor(cost=2 * CREDIT)
        self.ready(rival, ally)
        for _ in range(30):
            self.fail_one(client, rival, ally)
        self.assertEqual(self.holds(f"contractor = '{rival.name}'"), [])
        ally.on_award = give_back  # from here on everyone fails
        for other in (client, self.client(), self.client()):
            task = other.announce(skill=self.skill, window_us=SECOND, rounds=2, backoff_us=1)
            end = self.await_end(task, 'unallocated')
            self.assertEqual(end['reason'], 'nobody-left')
        self.assertEqual(self.holds(f"contractor in ('{rival.name}', '{ally.name}')"), [])
        ally.on_award, rival.on_award = type(ally).finish, type(rival).finish
        task = client.announce(skill=self.skill, window_us=20 * SECOND)
        self.assertEqual(self.winner(task), rival.name)

    def test_holds_are_listed_in_every_format(self):
        self.tender('hold', f'skill:{self.skill}', '--reason', 'other', check=0)
        rows = json.loads(self.tender('holds', '-o', 'json', check=0).stdout)
        self.assertIn(self.skill, [row['skill'] for row in rows])
        self.assertIn(self.skill, self.tender('holds', '-o', 'csv', check=0).stdout)
        self.tender('release', f'skill:{self.skill}', check=0)


if __name__ == '__main__':
    main()
