#!/usr/bin/python3
"""Split awards: who shares the work, what each part is paid, what becomes of one that fails."""
import json, os, subprocess
from harness import CREDIT, MINUTE, SECOND, Contractor, SystemTest, main

CENT = CREDIT // 100


class Split(SystemTest):
    def sharing(self, cost, capacity, **options):
        """Bids `cost` for a unit and takes up to `capacity` of them."""

        def bid(contractor, cfp):
            most = cfp.fields['ceiling_micro'] // cfp.fields['units']
            if cost > most:
                contractor.decline(cfp)
            else:
                contractor.bid(cfp, cost, capacity=capacity)

        return self.contractor(**{'on_cfp': bid, **options})

    def forty(self, client, **terms):
        terms = {'units': 40, 'ceiling_micro': 30 * CREDIT, 'split_max': 4, **terms}
        return client.announce(skill=self.skill, **terms)

    def parts(self, task):
        """Owner, part, status, units done, price and paid of each commitment, by part."""
        rows = self.sql.rows(
            f"""
            select owner, split_part(split_part(commitment_id, '/', 2), '.', 1)::integer as part,
                   status, units, units_done, price, paid
            from tender.commitment where task_id = '{task}' order by part"""
        )
        return [tuple(row.values()) for row in rows]

    def test_three_share_the_work_and_the_total_stays_under_the_ceiling(self):
        client = self.client()
        one, two, three = self.sharing(25 * CENT, 20), self.sharing(30 * CENT, 20), None
        three = self.sharing(50 * CENT, 40)
        self.ready(one, two, three)
        task = self.forty(client)
        row = self.await_end(task, 'done')
        self.assertEqual((row['units_done'], row['paid'], row['round']), (40, 20, 1))
        self.assertEqual(
            self.parts(task),
            [
                (one.name, 1, 'fulfilled', 20, 20, 10, 10),
                (two.name, 2, 'fulfilled', 20, 20, 10, 10),
            ],
        )
        (rejected,) = self.wait(lambda: three.got('reject-proposal', task), 'the loser is told')[:1]
        self.assertEqual(rejected.fields['reason'], 11, 'outbid')

    def test_twenty_and_twenty_at_a_quarter_are_not_paid_fifty(self):
        client = self.client()
        one, two = self.sharing(25 * CENT, 20), self.sharing(25 * CENT, 20)
        self.ready(one, two)
        task = self.forty(client)
        self.assertEqual(self.await_end(task, 'done')['paid'], 30)
        self.assertEqual(sorted(part[5] for part in self.parts(task)), [15, 15])

    def test_what_a_killed_contractor_leaves_is_done_by_others(self):
        client = self.client()

        def half(contractor, award):
            contractor.report('inform-progress', award, 4, content=b'four')

        killed = self.sharing(20 * CENT, 20, on_award=half, eta_us=MINUTE)
        two, three = self.sharing(30 * CENT, 20), self.sharing(40 * CENT, 40)
        self.ready(killed, two, three)
        task = self.forty(client, heartbeat_us=SECOND)
        self.wait(
            lambda: any(part[4] == 4 for part in self.parts(task)), 'its progress is recorded'
        )
        self.broker.kill()
        killed.lost()
        self.peers.remove(killed)
        self.broker.start()
        row = self.await_end(task, 'done')
        self.assertLessEqual(row['paid'], 30)
        parts = self.parts(task)
        self.assertEqual(sum(part[4] for part in parts), 40)
        owner, _, status, units, done, price, paid = parts[0]
        self.assertEqual((owner, status, units, done), (killed.name, 'lapsed', 20, 4))
        self.assertLessEqual(paid, price * 4 / 20)
        self.assertEqual({part[2] for part in parts[1:]}, {'fulfilled'})
        self.assertNotIn(killed.name, [part[0] for part in parts[1:]])

    def test_without_enough_capacity_the_covered_part_is_awarded_or_the_round_fails(self):
        client = self.client()
        one = self.sharing(25 * CENT, 15)
        self.ready(one)
        some = self.forty(client, rounds=1, close_alone=1)
        row = self.await_end(some, 'unallocated')
        self.assertEqual((row['units_done'], row['reason']), (15, 'rounds-exhausted'))
        all_or_none = self.forty(client, rounds=1, close_alone=1, cover_all=1)
        row = self.await_end(all_or_none, 'unallocated')
        self.assertEqual((row['units_done'], row['paid']), (0, 0))
        self.assertEqual(self.bids(all_or_none)[one.name]['reason'], 'short-capacity')

    def test_cancelling_settles_each_part(self):
        client = self.client()
        one = self.sharing(25 * CENT, 20, on_award=Contractor.acknowledge)
        two = self.sharing(25 * CENT, 20, on_award=Contractor.finish)
        self.ready(one, two)
        task = self.forty(client)
        self.wait(
            lambda: any(part[2] == 'fulfilled' for part in self.parts(task)), 'one part is done'
        )
        self.assertEqual(client.ask('cancel', task).performative, 'agree')
        row = self.await_end(task, 'cancelled')
        self.assertEqual((row['units_done'], row['paid']), (20, 16.5))
        states = {owner: (status, paid) for owner, _, status, _, _, _, paid in self.parts(task)}
        self.assertEqual(states, {one.name: ('cancelled', 1.5), two.name: ('fulfilled', 15)})
        self.wait(lambda: one.got('cancel', task), 'it is told to stop')

    def test_it_is_announced_by_command_and_in_sql_and_watched(self):
        principal = self.client().principal
        one, two = self.sharing(25 * CENT, 20), self.sharing(25 * CENT, 20)
        self.ready(one, two)
        by_sql = self.sql.value(
            f"select tender.announce(p_key => 'split', p_skill => '{self.skill}', p_units => 40, "
            f"p_ceiling => 30, p_window => '20 s', p_due => '1 h', p_split_max => 4, "
            f"p_principal => '{principal}')"
        )
        self.wait(
            lambda: self.sql.value(f"select answer from tender.request where request = {by_sql}"),
            'the answer',
        )
        task = self.sql.value(
            f"select task_id from tender.task where principal = '{principal}' and key = 'split'"
        )
        self.await_end(task, 'done')
        code, text = self.tender_served(
            'announce',
            *('--principal', principal, '--skill', self.skill, '--units', 40, '--ceiling', 30),
            *('--window', '20s', '--due', '1h', '--split', 4, '--wait', '-o', 'json'),
        )
        self.assertEqual(code, 0, text)
        row = json.loads(text.splitlines()[-1])
        self.assertEqual([part[4] for part in self.parts(row['task_id'])], [20, 20])

    def test_watching_tells_the_parts_apart(self):
        client = self.client()
        one = self.sharing(25 * CENT, 20, on_award=Contractor.acknowledge)
        two = self.sharing(25 * CENT, 20, on_award=Contractor.acknowledge)
        self.ready(one, two)
        task = self.forty(client)
        self.wait(lambda: one.awards and two.awards, 'the awards')
        process = self.start(
            os.environ['TENDER'],
            *('watch', task, '--principal', client.principal, '-o', 'json'),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        os.set_blocking(process.stdout.fileno(), False)
        lines = []

        def shown(count):
            lines.extend(process.stdout.readlines())
            return len(lines) >= count

        self.wait(lambda: shown(1), 'where it stands')
        for contractor in one, two:
            contractor.report('inform-done', contractor.awards[0], content=b'done')
        self.wait(lambda: process.poll() is not None and shown(1), 'its end')
        shown(1)
        rows = [json.loads(line) for line in lines]
        ended = {
            (row['part'], row['contractor'], row['units_done'])
            for row in rows
            if row['commitment_status'] == 'fulfilled'
        }
        parts = {contractor.awards[0].fields['part']: contractor.name for contractor in (one, two)}
        self.assertEqual(ended, {(part, name, 20) for part, name in parts.items()})
        self.assertEqual((rows[-1]['status'], rows[-1]['units_done']), ('done', 40))

if __name__ == '__main__':
    main()
