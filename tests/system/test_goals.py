#!/usr/bin/python3
"""Goals, prerequisites and beliefs: what waits, what stops, who is told, and who may say so."""
import json, time
from harness import CREDIT, HOUR, SECOND, SystemTest, main
from wire import NIL

ACHIEVED, IMPOSSIBLE, IRRELEVANT = 49, 50, 51


def ids(*tasks):
    return b''.join(task.bytes for task in tasks)


class Goals(SystemTest):
    def state(self, task):
        row = self.sql.row(f"select status, reason from tender.task where task_id = '{task}'")
        return row['status'], row['reason']

    def reserved(self, client):
        return self.sql.value(
            f"select reserved from tender.account where principal = '{client.principal}'"
        )

    def beliefs(self, peer, goal):
        return [
            (m.fields['reason'], m.fields.get('text'))
            for m in peer.got('inform')
            if m.fields.get('goal') == goal
        ]

    def tree(self, goal):
        return json.loads(self.tender('goal', goal, '-o', 'json', check=0).stdout)

    def believe(self, peer, goal, reason, task=NIL, **fields):
        """Says it of a goal, and waits for the answer that names the goal."""

        def answers():
            return [
                m
                for m in peer.log
                if m.performative in ('agree', 'refuse') and m.fields.get('goal') == goal
            ]

        before = len(answers())
        peer.send('believe', task, goal=goal, reason=reason, **fields)
        self.wait(lambda: len(answers()) > before, 'an answer to the belief')
        return answers()[-1]

    def test_a_pipeline_runs_in_the_order_of_its_needs_over_a_crash(self):
        client = self.client()
        contractor = self.contractor(cost=CREDIT)
        held = self.contractor(
            skill=self.skill + '-slow', cost=CREDIT, on_award=lambda c, award: c.acknowledge(award)
        )
        self.ready(contractor, held)
        terms = dict(skill=self.skill, window_us=SECOND, close_alone=1, goal='pipeline')
        first = client.announce(**{**terms, 'skill': held.skill})
        second = client.announce(**terms, after=ids(first))
        third = client.announce(**terms, after=ids(second, first))
        self.wait(lambda: held.awards, 'the first is awarded')
        self.assertEqual(self.state(second), ('blocked', 'none'))
        self.assertEqual(contractor.cfps, [])
        self.broker.kill()
        self.broker.start()
        self.assertEqual(self.state(third), ('blocked', 'none'))
        held.report('inform-done', held.awards[0], content=b'ore')
        self.await_end(first, 'done')
        self.await_end(third, 'done')
        rows = {row['task_id']: row for row in self.tree('pipeline')}
        self.assertEqual([row['status'] for row in rows.values()], ['done'] * 3)
        self.assertEqual(rows[str(third)]['after'], f'{first} {second}')
        order = self.sql.rows(
            "select task_id from tender.goal where goal = 'pipeline' and principal = "
            f"'{client.principal}' order by ended_at"
        )
        self.assertEqual([row['task_id'] for row in order], [str(first), str(second), str(third)])
        text = self.tender('goal', 'pipeline', check=0).stdout
        self.assertIn(f'└─ {second}', text)
        # A broker that never saw them asks the ledger how they ended.
        self.broker.kill()
        self.broker.start()
        fourth = client.announce(**terms, after=ids(first, third))
        self.await_end(fourth, 'done')

    def test_what_can_no_longer_be_done_cancels_what_waits(self):
        client = self.client()
        stranger = self.client()
        terms = dict(skill=self.skill, window_us=HOUR)
        first = client.announce(**terms)
        second = client.announce(**terms, after=ids(first))
        third = client.announce(**terms, after=ids(second))
        refused = stranger.announce(**terms, after=ids(first))
        self.assertEqual((refused.fields['reason'], refused.fields['field']), (87, 'after'))
        client.ask('cancel', first)
        for task in (second, third):
            self.await_end(task, 'cancelled')
            self.assertEqual(self.state(task), ('cancelled', 'prerequisite-ended'))
        refused = client.announce(**terms, after=ids(first))
        self.assertEqual(refused.fields['reason'], 75)
        self.assertEqual(self.reserved(client), 0)

    def test_an_owners_belief_suspends_until_its_client_has_spoken(self):
        client = self.client()
        owner = self.contractor(
            skill=self.skill + '-dig', cost=CREDIT, on_award=lambda c, award: c.acknowledge(award)
        )
        other = self.contractor(cost=CREDIT)
        stranger = self.contractor(cost=3 * CREDIT)
        self.ready(owner, other, stranger)
        goal = self.skill
        dug = client.announce(
            skill=owner.skill, units=4, window_us=SECOND, close_alone=1, goal=goal
        )
        (award,) = self.wait(lambda: owner.awards, 'an award')
        owner.report('inform-progress', award, units=2)
        self.assertEqual(self.believe(stranger, goal, IMPOSSIBLE, dug).fields['reason'], 102)
        answer = self.believe(owner, goal, IMPOSSIBLE, dug, text='no ore')
        self.assertEqual(answer.performative, 'agree')
        self.wait(
            lambda: self.beliefs(client, goal) == [(IMPOSSIBLE, 'no ore')], 'the client is told'
        )
        sold = client.announce(skill=self.skill, window_us=SECOND, rounds=9, goal=goal)
        self.wait(
            lambda: self.sql.rows(
                f"select 1 from tender.round where task_id = '{sold}' "
                "and outcome = 'goal-suspended'"
            ),
            'its round is closed undecided',
        )
        row = self.sql.row(
            f"select belief, suspended_until from tender.goal where task_id = '{dug}'"
        )
        self.assertEqual(row['belief'], 'impossible')
        self.assertTrue(row['suspended_until'])
        self.tender('believe', f'goal:{goal}', 'none', '-p', client.principal, check=0)
        self.await_end(sold, 'done')
        # Now the client agrees: what is done is paid, with the fee; the rest of the money is free.
        self.tender('believe', f'goal:{goal}', 'impossible', '-p', client.principal, check=0)
        self.await_end(dug, 'cancelled')
        self.assertEqual(self.state(dug), ('cancelled', 'impossible'))
        self.wait(lambda: owner.got('cancel', dug), 'the owner is told to stop')
        (commitment,) = self.commitments(dug)
        self.assertEqual((commitment['units_done'], commitment['status']), (2, 'cancelled'))
        self.assertEqual(float(commitment['paid']), 5 + 0.5)
        self.assertEqual(self.reserved(client), 0)

    def test_beliefs_about_a_task_are_a_report_a_cancel_or_a_word(self):
        client = self.client()
        terms = dict(window_us=SECOND, close_alone=1, goal=self.skill)
        owner = self.contractor(cost=CREDIT, on_award=lambda c, award: c.acknowledge(award))
        other = self.contractor(
            skill=self.skill + '-b', cost=CREDIT, on_award=lambda c, award: c.acknowledge(award)
        )
        self.ready(owner, other)
        mine = client.announce(skill=owner.skill, **terms)
        theirs = client.announce(skill=other.skill, **terms)
        waiting = client.announce(skill=owner.skill, after=ids(theirs), **terms)
        self.wait(lambda: owner.awards and other.awards, 'both are awarded')
        owner.send('believe', theirs, reason=IRRELEVANT, text='sold out')
        self.wait(lambda: self.beliefs(other, self.skill), 'the other owner is told')
        self.assertEqual(self.state(theirs), ('awarded', 'none'))
        self.assertEqual(
            self.sql.row(
                f"select \"by\", belief, text from tender.belief where task_id = '{theirs}'"
            ),
            {'by': owner.name, 'belief': 'irrelevant', 'text': 'sold out'},
        )
        owner.send('believe', mine, reason=ACHIEVED, part=0, generation=1)
        self.await_end(mine, 'done')
        # The client's word through the ledger, as an operator: it opens what waits.
        self.tender('believe', str(theirs), 'achieved', '--text', 'bought', check=0)
        self.assertEqual(self.state(theirs), ('cancelled', 'achieved'))
        self.wait(lambda: len(owner.awards) == 2, 'what waited is announced and awarded')
        owner.report('inform-done', owner.awards[1])
        self.await_end(waiting, 'done')

    def test_a_goal_of_a_thousand_tasks_is_stopped_while_others_go_on(self):
        client, rival = self.client(credits=100000), self.client()
        other = self.contractor(skill=self.skill + '-b', cost=CREDIT)
        self.ready(other)
        goal = self.skill
        keys = [
            client.say_announce(skill=self.skill, window_us=HOUR, goal=goal) for _ in range(1000)
        ]
        self.wait(lambda: all(client.answers(key) for key in keys), 'all are recorded')
        self.believe(client, goal, ACHIEVED)
        began = time.monotonic()
        task = rival.announce(skill=other.skill, window_us=SECOND, close_alone=1)
        self.await_end(task, 'done')
        self.assertLess(time.monotonic() - began, 20)
        self.wait(
            lambda: self.sql.value(
                f"select count(*) from tender.goal where goal = '{goal}' and reason = 'achieved' "
                "and status = 'cancelled'"
            )
            == 1000,
            'all have ended',
        )
        self.assertEqual(self.reserved(client), 0)
        again = client.announce(skill=self.skill, window_us=HOUR, goal=goal)
        self.assertEqual(client.ask('cancel', again).performative, 'agree')


if __name__ == '__main__':
    main()
