#!/usr/bin/python3
"""The rate card: cheap tasks are assigned without bids; who has them is recomputed."""
import hashlib, uuid
from harness import CREDIT, SystemTest, main
from wire import NIL


def draw(label, task, round, head, name=''):
    text = label.encode() + uuid.UUID(str(task)).bytes + round.to_bytes(4, 'big')
    return hashlib.sha256(text + bytes.fromhex(head) + name.encode()).digest()


class Rates(SystemTest):
    def test_cheap_tasks_are_assigned_to_whoever_has_the_fewest(self):
        client = self.client()
        contractors = [self.contractor(on_award=lambda c, m: c.acknowledge(m)) for _ in range(3)]
        self.ready(*contractors)
        self.tender('rate', 'set', self.skill, '0.5', '--threshold', '3', '--share', '0%', check=0)
        tasks = [client.announce(skill=self.skill, units=2) for _ in range(20)]
        self.wait(lambda: sum(len(c.awards) for c in contractors) == 20, 'twenty awards')
        active = {c.principal: 0 for c in contractors}
        for task in tasks:
            (assigned,) = self.entries(task, 'assigned')
            self.assertEqual(assigned['price_micro'], CREDIT)
            self.assertEqual(assigned['rate_micro'], CREDIT // 2)
            least = min(active.values())
            fewest = [name for name, count in active.items() if count == least]
            chosen = min(
                fewest, key=lambda name: draw('tender/assign/v1', task, 1, assigned['head'], name)
            )
            self.assertEqual(assigned['principal'], chosen)
            active[chosen] += 1
            self.assertEqual(self.bids(task), {})
        for contractor in contractors:
            for award in contractor.awards:
                contractor.report('inform-done', award, content=b'result')
        for task in tasks:
            self.await_end(task, 'done')
            (commitment,) = self.commitments(task)
            self.assertEqual((commitment['price'], commitment['paid']), (1, 1))
        row = self.sql.row(f"select * from tender.shortcut_cost where skill = '{self.skill}'")
        self.assertEqual((row['assigned'], row['units'], row['posted']), (20, 40, 20))
        self.assertEqual((row['samples'], row['saved']), (0, None))

    def test_samples_are_drawn_by_the_chain_and_say_what_the_rate_saved(self):
        client = self.client()
        self.ready(*[self.contractor(cost=cost * CREDIT) for cost in (2, 3)])
        self.tender('rate', 'set', self.skill, '1', '--threshold', '2', '--share', '30%', check=0)
        tasks = [client.announce(skill=self.skill, units=2) for _ in range(40)]
        samples = 0
        for task in tasks:
            self.await_end(task, 'done')
            first = next(e for e in self.entries(task) if e['kind'] in ('assigned', 'opened'))
            number = int.from_bytes(draw('tender/sample/v1', task, 1, first['head'])[:8], 'big')
            self.assertEqual(first['kind'] == 'opened', number % 1000000 < 300000)
            self.assertEqual(first['rate_micro'], CREDIT)
            samples += first['kind'] == 'opened'
        row = self.sql.row(f"select * from tender.shortcut_cost where skill = '{self.skill}'")
        assigned = 40 - samples
        self.assertEqual((row['samples'], row['assigned']), (samples, assigned))
        self.assertTrue(1 < samples < 39, samples)
        # the auction paid the second cost, 3, for what was posted at 2
        self.assertEqual(float(row['sample_saved_per_unit']), 0.5)
        self.assertEqual(float(row['saved']), 0.5 * 2 * assigned)
        self.assertEqual(float(row['saved_error']), 0)
        self.assertEqual((row['lowest'], row['highest']), (None, None))

    def test_what_is_dear_or_declined_is_auctioned(self):
        client = self.client()

        def choosy(contractor, award):
            if 'again' in declined:
                contractor.finish(award)
            else:
                declined.append('again')
                contractor.fail(award, 0)

        declined = []
        self.ready(*[self.contractor(cost=CREDIT, on_award=choosy) for _ in range(2)])
        self.tender('rate', 'set', self.skill, '1', '--threshold', '2', '--share', '0%', check=0)
        dear = client.announce(skill=self.skill, units=3)
        self.wait(lambda: self.entries(dear, 'opened'), 'a round of the dear task')
        self.await_end(dear)
        declined.clear()
        task = client.announce(skill=self.skill, rounds=1)
        self.await_end(task, 'done')
        kinds = [entry['kind'] for entry in self.entries(task)]
        self.assertEqual(kinds[:4], ['announced', 'assigned', 'settled', 'opened'])
        self.assertNotIn('excluded', self.entries(task, 'settled')[0])
        states = [c['status'] for c in self.commitments(task)]
        self.assertEqual(states, ['declined', 'fulfilled'])

    def test_the_card_is_shown_and_taken_back(self):
        large = ('--tier', 'large')
        self.tender('rate', 'set', self.skill, '0.25', '--threshold', '2', *large, check=0)
        listed = self.tender('rate', 'list', '-o', 'csv', check=0).stdout
        self.assertIn(f'{self.skill},large,0.25', listed)
        self.tender('rate', 'set', self.skill, '0', '--threshold', '0', *large, check=0)
        self.assertNotIn(self.skill, self.tender('rate', 'list', '-o', 'csv', check=0).stdout)
        client = self.client()
        refused = client.ask('rate', NIL, skill=self.skill, price_micro=1, ceiling_micro=1)
        self.assertEqual((refused.performative, refused.fields['reason']), ('refuse', 87))


if __name__ == '__main__':
    main()
