#!/usr/bin/python3
"""Rounds of improving bids, and what work cost beside what was bid."""
from harness import CREDIT, HOUR, SECOND, SystemTest, main


class Improving(SystemTest):
    def winner(self, task):
        self.await_end(task, 'done')
        return self.commitments(task)[-1]['owner']

    def undercut(self, name, costs, ranks):
        """Bids its next cost in each round and notes once what it learned: calls are repeated."""

        def on_cfp(contractor, cfp):
            number = cfp.fields['round']
            if number > len(ranks):
                ranks.append(cfp.fields.get('rank'))
            contractor.bid(cfp, costs[number - 1])

        return self.contractor(name, on_cfp=on_cfp)

    def test_bidders_learn_their_rank_and_the_last_round_decides(self):
        client = self.client()
        told = {'a': [], 'b': [], 'c': []}
        a = self.undercut('a', [7 * CREDIT, 4 * CREDIT, 4 * CREDIT], told['a'])
        b = self.undercut('b', [5 * CREDIT, 5 * CREDIT, 3 * CREDIT], told['b'])
        c = self.undercut('c', [6 * CREDIT, 6 * CREDIT, 6 * CREDIT], told['c'])
        self.ready(a, b, c)
        task = client.announce(skill=self.skill, improve=2, rounds=1, window_us=20 * SECOND)
        self.assertEqual(self.winner(task), b.name)
        self.assertEqual(told, {'a': [None, 3, 1], 'b': [None, 1, 2], 'c': [None, 2, 3]})
        (award,) = self.sql.rows(f"select * from tender.award where task_id = '{task}'")
        self.assertEqual((award['round'], award['price'], award['price_set_by']), (3, 4, a.name))
        rounds = self.sql.rows(f"select * from tender.round where task_id = '{task}' order by 2")
        outcomes = [row['outcome'] for row in rounds]
        self.assertEqual(outcomes, ['improving', 'improving', 'awarded'])
        first = self.bids(task, 1)
        self.assertEqual(
            {name: (row['status'], row['reason'], row['rank']) for name, row in first.items()},
            {
                b.name: ('lost', 'improving', 1),
                c.name: ('lost', 'improving', 2),
                a.name: ('lost', 'improving', 3),
            },
        )

    def test_nobody_reads_ranks_of_rounds_that_are_being_improved(self):
        client = self.client()
        told = []
        a = self.undercut('a', [7 * CREDIT, 6 * CREDIT], told)

        def on_cfp(contractor, cfp):
            if cfp.fields['round'] == 1:
                contractor.bid(cfp, 5 * CREDIT)

        b = self.contractor(on_cfp=on_cfp)
        self.ready(a, b)
        task = client.announce(skill=self.skill, improve=1, lead_only=1, window_us=20 * SECOND)
        self.wait(lambda: len(told) == 2, 'the second round')
        self.assertEqual(told, [None, 0])
        self.wait(lambda: self.entries(task, 'closed'), 'the first round has closed')
        self.assertEqual(self.bids(task, 1), {})
        b.bid(b.cfps[-1], 5 * CREDIT)
        self.assertEqual(self.winner(task), b.name)
        self.assertEqual(len(self.bids(task, 1)), 2)

    def test_a_restart_between_the_rounds_forgets_no_bid(self):
        client = self.client()
        told = []

        def on_cfp(contractor, cfp):
            if cfp.fields['round'] == 1:
                contractor.bid(cfp, 5 * CREDIT)

        a = self.undercut('a', [7 * CREDIT, 8 * CREDIT], told)
        b = self.contractor(on_cfp=on_cfp)
        self.ready(a, b)
        task = client.announce(skill=self.skill, improve=1, window_us=HOUR)
        self.wait(lambda: len(b.cfps) == 2, 'the second round')
        self.wait(lambda: self.entries(task, 'closed'), 'the first round is recorded')
        self.broker.kill()
        self.broker.start()
        self.wait(lambda: a.got('reject-proposal', task), 'the bid that rose is turned down')
        self.assertEqual(a.got('reject-proposal', task)[-1].fields['reason'], 37)
        self.assertEqual(told, [None, 2])
        b.bid(b.cfps[-1], 4 * CREDIT)
        self.wait(lambda: self.entries(task, 'answered')[-1]['answers'], 'the bid is recorded')
        self.assertEqual(client.ask('cancel', task).performative, 'agree')

    def test_the_command_asks_for_improving_rounds(self):
        client = self.client()
        costs = iter([5, 4])
        bidders = [
            self.contractor(on_cfp=lambda c, cfp: c.bid(cfp, next(costs) * CREDIT)),
            self.contractor(cost=6 * CREDIT),
        ]
        self.ready(*bidders)
        _, text = self.tender_served(
            'announce', '-p', client.principal, '-s', self.skill, '-u', 1, '-c', 10,
            '--window', '20s', '--improve', 1, '--lead-only', '--wait', check=0,
        )
        self.assertIn('done', text)

    def test_measured_use_stands_beside_bid_and_estimate(self):
        client = self.client()

        def bid(contractor, cfp):
            contractor.bid(cfp, 2 * CREDIT, estimate_micro=1500000)

        def work(contractor, award):
            contractor.acknowledge(award)
            contractor.report(
                'inform-done',
                award,
                content=b'result',
                cost_micro=1600000,
                tier='small',
                evidence='tokens_in=1200\ntokens_out=300\n',
            )

        contractor = self.contractor(on_cfp=bid, on_award=work)
        self.ready(contractor)
        for _ in range(2):
            task = client.announce(skill=self.skill, window_us=SECOND, close_alone=1)
            self.await_end(task, 'done')
        row = self.sql.row(
            f"select * from tender.bid_fidelity where contractor = '{contractor.name}'"
        )
        self.assertEqual((row['tier'], row['reports'], row['tokens_in']), ('small', 2, 2400))
        self.assertEqual((row['ratio'], row['estimate_ratio']), (1.25, 0.9375))
        self.assertEqual((row['bias'], row['exact_share'], row['measured']), (0.25, 0, 3.2))


if __name__ == '__main__':
    main()
