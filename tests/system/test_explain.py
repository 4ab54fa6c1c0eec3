#!/usr/bin/python3
"""tender.why_not and tender explain: every reason why a contractor did not get a round."""
import json
from harness import CREDIT, SECOND, SystemTest, main


class Explain(SystemTest):
    def why(self, task, round=1):
        return {
            row['contractor']: row
            for row in self.sql.rows(
                f"select * from tender.why_not where task_id = '{task}' and round = {round}"
            )
        }

    def test_every_reason_is_told(self):
        client = self.client()
        kwargs = dict(skill=self.skill)
        winner = self.contractor('winner', cost=2 * CREDIT, on_award=lambda c, m: c.acknowledge(m))
        dearer = self.contractor('dearer', cost=3 * CREDIT)
        sibling = self.contractor('sibling', cost=4 * CREDIT, principal=dearer.principal)
        greedy = self.contractor('greedy', cost=11 * CREDIT)
        refuser = self.contractor('refuser', on_cfp=lambda c, m: c.decline(m, text='too busy'))
        silent = self.contractor('silent', on_cfp=lambda c, m: None)
        own = self.contractor('own', cost=CREDIT, principal=client.principal)
        held = self.contractor('held', cost=CREDIT)
        half = self.contractor('half', cost=CREDIT, slots=1)
        elsewhere = self.contractor('elsewhere', skill='other.skill', cost=CREDIT)
        self.ready(winner, dearer, sibling, greedy, refuser, silent, own, held, half, elsewhere)
        self.tender('hold', f'contractor:{held.name}', '--reason', 'quality-check', check=0)
        half.on_award = lambda c, m: c.acknowledge(m)
        task = client.announce(**kwargs, window_us=2 * SECOND)
        self.wait(lambda: half.awards, 'the award')  # it is the cheapest
        first = self.why(task)
        self.assertEqual(first[winner.name]['reason'], 'outbid')
        task = client.announce(**kwargs, window_us=2 * SECOND)
        self.wait(lambda: winner.awards, 'the second award')
        rows = self.why(task)
        expected = {
            dearer: 'outbid',
            sibling: 'same-principal',
            greedy: 'above-ceiling',
            refuser: 'over-capacity',
            silent: 'unanswered',
            own: 'own-task',
            held: 'on-hold',
            half: 'no-slot',
        }
        told = {c.name: rows[c.name]['reason'] for c in expected}
        self.assertEqual(told, {c.name: reason for c, reason in expected.items()})
        self.assertEqual(set(rows), {c.name for c in expected})
        self.assertEqual(rows[refuser.name]['detail'], 'too busy')
        self.assertEqual(rows[held.name]['detail'], 'quality-check')
        self.assertEqual(rows[half.name]['detail'], '1 of 1 slots were taken')
        winner.fail(winner.awards[0], 0)
        self.wait(lambda: self.entries(task, 'settled'), 'the settlement')
        self.tells(task, expected, rows)

    def tells(self, task, expected, rows):
        done = self.tender('explain', task, '-o', 'json', check=0)
        story = json.loads(done.stdout)['rounds'][0]['why_not']
        self.assertEqual({r['contractor']: r['reason'] for r in story},
                         {name: row['reason'] for name, row in rows.items()})
        text = self.tender('explain', task, check=0).stdout
        self.assertIn('was invited and did not answer', text)
        name = next(c.name for c in expected if expected[c] == 'own-task')
        one = self.tender('explain', task, '--contractor', name, '-o', 'json', check=0).stdout
        self.assertEqual([r['contractor'] for r in json.loads(one)['rounds'][0]['why_not']], [name])

    def test_who_was_silent_is_told_where_nobody_won_too(self):
        client = self.client()
        silent = self.contractor('silent', on_cfp=lambda c, m: None)
        refuser = self.contractor('refuser', on_cfp=lambda c, m: c.decline(m))
        self.ready(silent, refuser)
        task = client.announce(skill=self.skill, window_us=SECOND, rounds=1)
        self.await_end(task, 'unallocated')
        told = {name: row['reason'] for name, row in self.why(task).items()}
        self.assertEqual(told, {silent.name: 'unanswered', refuser.name: 'over-capacity'})

    def test_who_was_out_away_or_late_is_told_so(self):
        client = self.client()
        failing = self.contractor('failing', cost=CREDIT, on_award=lambda c, m: c.fail(m, 0))
        gone = self.contractor('gone', on_cfp=lambda c, m: None)
        working = self.contractor('working', cost=2 * CREDIT, on_cfp=lambda c, m: None)
        self.ready(failing, gone, working)
        task = client.announce(skill=self.skill, window_us=2 * SECOND, backoff_us=0)
        self.wait(lambda: gone.cfps and working.cfps, 'the calls')
        gone.close(5)
        self.peers.remove(gone)
        self.wait(lambda: self.entries(task, 'settled'), 'the declined award')
        self.assertEqual(self.why(task)[gone.name]['reason'], 'undelivered')
        working.on_cfp = type(working).bid
        self.wait(lambda: len(working.cfps) > 1, 'the second round')
        self.await_end(task, 'done')
        second = self.why(task, 2)
        self.assertEqual(second[failing.name]['reason'], 'excluded')
        self.assertEqual(second[failing.name]['detail'], 'declined')
        self.assertEqual(second[gone.name]['reason'], 'not-connected')

    def test_bundles_rates_and_draws_have_reasons_too(self):
        client = self.client()
        one = self.contractor('one', on_award=lambda c, m: c.acknowledge(m))
        two = self.contractor('two', on_award=lambda c, m: c.acknowledge(m))
        self.ready(one, two)
        terms = dict(skills=['gpu.h200'], window_us=SECOND // 5, rounds=1)
        bundle = client.announce(skill=self.skill, **terms)
        self.await_end(bundle)
        row = self.why(bundle)[one.name]
        self.assertEqual((row['reason'], row['detail']), ('not-covered', 'gpu.h200'))
        self.tender('rate', 'set', self.skill, '1', '--threshold', '2', '--share', '0%', check=0)
        task = client.announce(skill=self.skill)
        self.wait(lambda: one.awards or two.awards, 'the assignment')
        (other,) = self.why(task).values()
        self.assertEqual(other['reason'], 'another-assigned')
        rules = [r['rule'] for r in self.sql.rows(f"select rule from tender.explain('{task}')")]
        self.assertEqual(rules, ['the posted rate'])
        self.assertIn('the posted rate', self.tender('explain', task, check=0).stdout)


if __name__ == '__main__':
    main()
