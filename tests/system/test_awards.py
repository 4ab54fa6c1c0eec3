#!/usr/bin/python3
"""Awards (A1-A7): who has a task after its winner declines, vanishes, gives up or was invalid."""
from harness import CREDIT, MINUTE, SECOND, Contractor, SystemTest, main


class Awards(SystemTest):
    def test_A1_winner_answers_with_failure_and_the_runner_up_has_it_from_the_same_bids(self):
        client = self.client()
        first = self.contractor(
            cost=5 * CREDIT, on_award=lambda c, award: c.fail(award, 0, 44, text='no')
        )
        second, third = self.contractor(cost=7 * CREDIT), self.contractor(cost=9 * CREDIT)
        self.ready(first, second, third)
        task = client.announce(skill=self.skill)
        self.assertEqual(self.await_end(task, 'done')['round'], 1)
        self.assertEqual(
            [
                (c['owner'], c['status'], c['reason'], c['price'], c['paid'])
                for c in self.commitments(task)
            ],
            [
                (first.name, 'declined', 'declined', 7, 0),
                (second.name, 'fulfilled', 'completed', 9, 9),
            ],
        )
        self.assertEqual([e['kind'] for e in self.entries(task)].count('opened'), 1)
        self.wait(lambda: third.got('reject-proposal', task), 'the loser is told')

    def test_A1_next_round_excludes_the_decliner(self):
        client = self.client()
        decliner = self.contractor(cost=0, on_award=lambda c, award: c.fail(award, 0, 44))
        other = self.contractor(
            on_cfp=lambda c, cfp: c.decline(cfp)
            if cfp.fields['round'] == 1
            else c.bid(cfp, 3 * CREDIT)
        )
        self.ready(decliner, other)
        task = client.announce(skill=self.skill, backoff_us=0, window_us=5 * SECOND)
        self.assertEqual(self.await_end(task, 'done')['round'], 2)
        self.assertEqual(set(self.bids(task, 2)), {other.name})
        self.assertEqual(len(decliner.cfps), 1)
        self.assertEqual(self.commitments(task)[-1]['price'], 10)

    def test_A2_winner_killed_before_it_acknowledges_loses_the_task_and_no_other_waits(
        self,
    ):
        client = self.client()
        winner = self.contractor(cost=1 * CREDIT, on_award=Contractor.nothing)
        standby = self.contractor(cost=2 * CREDIT)
        self.ready(winner, standby)
        task = client.announce(skill=self.skill, ack_us=3 * SECOND)
        self.wait(lambda: winner.awards, 'the award')
        winner.lost()
        self.peers.remove(winner)
        others = [client.announce(skill=self.skill, window_us=1 * SECOND) for _ in range(5)]
        for other in others:
            self.assertEqual(self.await_end(other, 'done')['round'], 1)
        self.await_end(task, 'done')
        self.assertEqual(
            [(c['owner'], c['status'], c['reason']) for c in self.commitments(task)],
            [
                (winner.name, 'declined', 'not-acknowledged'),
                (standby.name, 'fulfilled', 'completed'),
            ],
        )

    def test_A2_cancel_works_at_every_stage(self):
        client = self.client()
        one = self.contractor(cost=4 * CREDIT, on_award=Contractor.nothing)
        two = self.contractor(cost=6 * CREDIT, on_award=Contractor.nothing)
        silent = self.contractor(skill=self.skill + '.x')
        self.ready(one, two, silent)

        def cancelled(task, stage):
            self.assertEqual(client.ask('cancel', task, text=stage).performative, 'agree', stage)
            row = self.await_end(task, 'cancelled')
            self.assertEqual(row['reason'], 'cancelled-by-client', stage)
            self.assertEqual(
                client.ask('cancel', task).performative, 'agree', 'again: it is what was asked for'
            )
            return self.commitments(task)

        nobody = client.announce(skill=self.skill + '.nobody', window_us=MINUTE)
        self.assertEqual(cancelled(nobody, 'nobody is there'), [])
        asked = client.announce(skill=self.skill + '.x', window_us=MINUTE)
        self.wait(lambda: silent.cfps, 'the cfp')
        self.assertEqual(cancelled(asked, 'a cfp is out'), [])
        silent.bid(silent.cfps[0], 1)  # answers a round that is over
        self.wait(
            lambda: silent.got('reject-proposal', asked) or silent.got('not-understood', asked),
            'an answer',
        )
        awarded = client.announce(skill=self.skill, ack_us=MINUTE)
        self.wait(lambda: one.awards, 'an award')
        (commitment,) = cancelled(awarded, 'awarded, not acknowledged')
        self.assertEqual(commitment['status'], 'cancelled')
        working = client.announce(skill=self.skill, units=10, kill_fee_ppm=100_000)
        award = self.wait(lambda: [a for a in one.awards if a.conversation == working], 'an award')[
            0
        ]
        one.acknowledge(award)
        one.report('inform-progress', award, 5)
        self.wait(lambda: client.told(working, 'inform-progress'), 'the progress')
        (commitment,) = cancelled(working, 'half done')
        # price 6: 5 of 10 units are 3 credits, and a tenth of the unpaid 3 is the fee
        self.assertEqual((commitment['status'], commitment['paid']), ('cancelled', 3.3))
        self.wait(lambda: one.got('cancel', working), 'the owner is told to stop')
        done = client.announce(skill=self.skill, close_alone=1)
        one.on_award = two.on_award = Contractor.finish
        for contractor in (one, two):
            self.wait(lambda: not contractor._unheard, 'it is heard')
        for award in one.awards:
            if award.conversation == done:
                one.finish(award)
        self.await_end(done, 'done')
        self.assertEqual(client.ask('cancel', done).fields.get('reason'), 88, 'it has ended')

    def test_A3_failure_at_28_of_40_settles_28_and_announces_12(self):
        client = self.client()
        a = self.contractor('a', cost=12 * CREDIT, on_award=Contractor.acknowledge)
        b = self.contractor(
            'b',
            on_cfp=lambda c, cfp: c.bid(
                cfp, 15 * CREDIT if cfp.fields['round'] == 1 else 4_500_000
            ),
        )
        c = self.contractor(
            'c',
            on_cfp=lambda c, cfp: c.decline(cfp)
            if cfp.fields['round'] == 1
            else c.bid(cfp, 8 * CREDIT),
        )
        self.ready(a, b, c)
        task = client.announce(
            skill=self.skill, units=40, ceiling_micro=30 * CREDIT, backoff_us=10 * MINUTE
        )
        award = self.wait(lambda: a.awards, 'the award')[0]
        a.report('inform-progress', award, 14)
        a.fail(award, 28, 45, content=b'28 articles')
        row = self.await_end(task, 'done')
        self.assertEqual((row['round'], row['units_done'], row['ceiling']), (2, 40, 30))
        self.assertEqual(
            [
                (x['owner'], x['units'], x['units_done'], x['price'], x['paid'], x['status'])
                for x in self.commitments(task)
            ],
            [(a.name, 40, 28, 15, 10.5, 'failed'), (b.name, 12, 12, 8, 8, 'fulfilled')],
        )
        second = self.sql.row(
            f"select units, ceiling, invited from tender.round "
            f"where task_id = '{task}' and round = 2"
        )
        self.assertEqual(second, {'units': 12, 'ceiling': 9, 'invited': 2})
        self.assertEqual(
            self.account(client.principal),
            {'available': 981.5, 'reserved': 0, 'spent': 18.5, 'earned': 0},
        )

    def test_A4_withdrawn_bid_is_not_awarded_and_a_loser_cannot_take_the_task(self):
        client = self.client()
        withdrawer = self.contractor(cost=1 * CREDIT)
        loser = self.contractor(cost=5 * CREDIT)
        winner = self.contractor(on_award=Contractor.acknowledge)
        self.ready(withdrawer, loser, winner)
        task = client.announce(skill=self.skill)
        self.wait(lambda: withdrawer.cfps and loser.cfps and winner.cfps, 'the cfps')
        withdrawer.send('withdraw', task, round=1)
        self.wait(lambda: not withdrawer._unheard, 'the withdrawal is heard')
        winner.bid(winner.cfps[0], 4 * CREDIT)
        award = self.wait(lambda: winner.awards, 'the award')[0]
        self.assertEqual(award.fields['price_micro'], 5 * CREDIT)
        self.wait(lambda: loser.got('reject-proposal', task), 'the rejection')
        for peer in (loser, withdrawer):
            peer.send('acknowledge', task, part=0, generation=1)
            peer.send('inform-done', task, part=0, generation=1, units_done=1)
            self.wait(
                lambda: len(peer.got('not-understood', task)) == 2,
                'both are answered with a reason',
            )
            self.assertEqual({m.fields['reason'] for m in peer.got('not-understood', task)}, {87})
        self.assertEqual(
            [(c['owner'], c['status']) for c in self.commitments(task)], [(winner.name, 'active')]
        )
        bids = self.bids(task)
        self.assertEqual(
            {name: bids[name]['status'] for name in bids},
            {withdrawer.name: 'withdrawn', loser.name: 'lost', winner.name: 'won'},
        )
        winner.finish(award)
        self.await_end(task, 'done')

    def test_A5_bid_of_short_validity_is_ineligible_and_an_expired_standby_passed_over(
        self,
    ):
        client = self.client()
        short = self.contractor(
            'short',
            on_cfp=lambda c, cfp: c.bid(
                cfp, 1, valid_until_us=cfp.fields['closes_at_us'] + cfp.fields['ack_us'] - 1
            ),
        )
        silent_winner = self.contractor('winner', cost=2 * CREDIT, on_award=Contractor.nothing)
        just = self.contractor(
            'just',
            on_cfp=lambda c, cfp: c.bid(
                cfp,
                3 * CREDIT,
                valid_until_us=cfp.fields['closes_at_us'] + cfp.fields['ack_us'] + SECOND // 2,
            ),
        )
        last = self.contractor('last', cost=4 * CREDIT)
        mute = self.contractor('mute')  # so that the round closes at the window's end
        self.ready(short, silent_winner, just, last, mute)
        task = client.announce(skill=self.skill, window_us=1 * SECOND, ack_us=1 * SECOND)
        self.await_end(task, 'done')
        bids = self.bids(task)
        self.assertEqual(
            (bids[short.name]['status'], bids[short.name]['reason']),
            ('ineligible', 'validity-too-short'),
        )
        self.assertEqual(bids[just.name]['reason'], 'passed-over')
        self.assertEqual(
            [(c['owner'], c['reason'], c['price']) for c in self.commitments(task)],
            [(silent_winner.name, 'not-acknowledged', 3), (last.name, 'completed', 10)],
        )
        told = self.wait(lambda: just.got('reject-proposal', task), 'the one passed over is told')
        self.assertEqual([m.fields['reason'] for m in told], [30])

    def test_A6_defaulter_bids_zero_in_the_next_round_in_vain(self):
        client = self.client()
        defaulter = self.contractor(
            'late', cost=0, eta_us=1 * SECOND, on_award=Contractor.acknowledge
        )
        other = self.contractor(
            'other', on_cfp=lambda c, cfp: cfp.fields['round'] == 1 and c.decline(cfp)
        )
        self.ready(defaulter, other)
        task = client.announce(
            skill=self.skill, due_us=2 * SECOND, backoff_us=0, window_us=5 * SECOND
        )
        self.wait(lambda: len(other.cfps) == 2, 'the second round')
        cfp = other.cfps[1]
        defaulter.bid(cfp, 0)
        refusal = self.wait(lambda: defaulter.got('reject-proposal', task), 'the answer')[-1]
        self.assertIn(refusal.fields['reason'], (23, 25))
        other.bid(cfp, 2 * CREDIT, eta_us=1 * SECOND)
        self.await_end(task, 'done')
        self.assertEqual(
            [(c['owner'], c['status'], c['reason'], c['paid']) for c in self.commitments(task)],
            [
                (defaulter.name, 'lapsed', 'due-passed', 0),
                (other.name, 'fulfilled', 'completed', 10),
            ],
        )
        self.assertEqual(self.bids(task, 2)[defaulter.name]['status'], 'ineligible')

    def test_A7_close_is_refused_while_an_invitee_has_not_answered(self):
        client = self.client()
        quick, slow = self.contractor(cost=2 * CREDIT), self.contractor()
        self.ready(quick, slow)
        task = client.announce(skill=self.skill, window_us=10 * MINUTE)
        self.wait(lambda: slow.cfps and quick.cfps and not quick._unheard, 'one bid')
        self.assertEqual(self.tender_served('close', task)[0], 4)
        refusal = client.ask('close', task)
        self.assertEqual((refusal.performative, refusal.fields['reason']), ('refuse', 92))
        self.assertEqual(self.commitments(task), [])
        slow.bid(slow.cfps[0], 3 * CREDIT)
        self.await_end(task, 'done')
        alone = client.announce(skill=self.skill + '.alone', window_us=10 * MINUTE)
        single = self.contractor(skill=self.skill + '.alone', cost=1)
        self.wait(lambda: single.cfps and not single._unheard, 'the only bid')
        self.tender_served('close', alone, check=0)
        self.await_end(alone, 'done')
        self.assertEqual(self.commitments(alone)[0]['price'], 10)


if __name__ == '__main__':
    main()
