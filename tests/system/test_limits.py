#!/usr/bin/python3
"""Limits of the edge, as peers meet them (I19). Goal: whoever meets one is told which, or waits,
and nobody else notices. Method: a broker with small limits, and peers that go beyond them.
"""
import os
import subprocess
import uuid
from harness import MINUTE, Peer, SystemTest, main, unique

LIMIT_REACHED = 84


class Limits(SystemTest):
    broker_options = (
        '--sessions-per-principal', '3', '--messages-per-second', '100',
        '--tasks-per-principal', '2', '--connections', '24',
    )  # fmt: skip

    def peer(self, principal):
        peer = Peer(self.broker.url, unique('peer'), principal)
        self.peers.append(peer)
        return peer

    def await_counted(self, name):
        self.wait(
            lambda: f'event=limit limit={name} ' in self.broker.log.read_text(),
            f'the log names {name}',
        )
        self.wait(
            lambda: self.sql.rows(f"select 1 from tender.limit_met where name = '{name}'"),
            f'the ledger names {name}',
        )
        done = self.tender('check')
        self.assertEqual(done.returncode, 1, done.stdout)  # a warning
        self.assertIn(name, done.stdout)

    def test_fourth_session_of_a_principal_is_refused_until_one_leaves(self):
        principal = unique('crowd')
        first = [self.peer(principal) for _ in range(3)]
        self.wait(lambda: all(peer.got('welcome') for peer in first), 'three are let in')
        fourth, other = self.peer(principal), self.peer(unique('other'))
        refusal = self.wait(lambda: fourth.got('refuse'), 'the fourth is refused')[0]
        self.assertEqual(refusal.fields['reason'], LIMIT_REACHED)
        self.assertEqual(
            refusal.fields['text'], 'sessions-per-principal: it has as many as it may, 3'
        )
        self.wait(lambda: other.got('welcome'), 'another principal is let in')
        first[0].close()
        self.peers.remove(first[0])
        self.wait(lambda: fourth.got('welcome'), 'the fourth, which tries again, is let in')
        self.await_counted('sessions-per-principal')

    def test_programs_of_a_full_principal_are_let_in_when_there_is_room(self):
        principal = unique('crowd')
        first = [self.peer(principal) for _ in range(3)]
        self.wait(lambda: all(peer.got('welcome') for peer in first), 'three are let in')
        self.fund(principal, 10)
        announce = ('announce', '-p', principal, '-s', self.skill, '-u', '1', '-c', '1', '-w', '1s')
        code, text = self.tender_served(*announce, '--timeout', '1s')
        self.assertEqual(code, 3, text)
        self.assertIn('no room for the session: sessions-per-principal', text)
        met = "select times from tender.limit_met where name = 'sessions-per-principal'"
        self.await_counted('sessions-per-principal')
        before = self.sql.value(met)
        said = self.directory / 'program.log'
        with said.open('w') as log:
            self.start(
                *(os.environ['TENDER'], 'contractor', 'exec', '--name', unique('prog')),
                *('-p', principal, '--skill', self.skill, '--rate', '1', '--timeout', '1m'),
                *('--', 'cat'),
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        self.wait(lambda: self.sql.value(met) > before, 'it is refused')
        first[0].close()
        self.peers.remove(first[0])
        self.wait(lambda: said.read_text().count('event=contact') == 2, 'it is let in')
        self.assertRegex(said.read_text(), 'the-broker-is-full\n.* connected\n')

    def test_session_over_its_rate_waits_and_another_does_not(self):
        hasty, calm = self.client(), self.client()
        self.wait(lambda: hasty.got('welcome') and calm.got('welcome'), 'both are there')
        nobody = uuid.uuid4()  # no task
        for _ in range(300):  # three seconds' worth at once
            hasty.send('withdraw', nobody, round=1)
        self.assertIsInstance(calm.announce(skill=self.skill), uuid.UUID)
        self.assertLess(len(hasty.got('not-understood')), 10)  # most of it waits
        self.wait(lambda: len(hasty.got('not-understood')) == 300, 'all of it is heard')
        self.assertEqual(hasty.got('bye'), [])
        self.await_counted('messages-per-second')

    def test_third_task_of_a_principal_is_refused_until_one_has_ended(self):
        client, other = self.client(), self.client()
        tasks = [client.announce(skill=self.skill, window_us=10 * MINUTE) for _ in range(2)]
        refusal = client.announce(skill=self.skill)
        self.assertEqual(refusal.performative, 'refuse')
        self.assertEqual(
            (refusal.fields['reason'], refusal.fields['field']), (LIMIT_REACHED, 'principal')
        )
        for one in (other.announce(skill=self.skill), client.ask('cancel', tasks[0])):
            self.assertNotEqual(getattr(one, 'performative', 'agree'), 'refuse')
        again = client.announce(skill=self.skill)
        self.assertNotEqual(getattr(again, 'performative', 'agree'), 'refuse')
        self.await_counted('book')

    def test_connections_beyond_the_limit_are_closed_and_served_when_there_is_room(self):
        crowd = [self.peer(unique('one')) for _ in range(26)]
        self.wait(lambda: sum(bool(p.got('welcome')) for p in crowd) >= 20, 'most are let in')
        self.assertLessEqual(sum(bool(p.got('welcome')) for p in crowd), 24)
        for peer in [p for p in crowd if p.got('welcome')][:8]:
            peer.close()
            self.peers.remove(peer)
        self.wait(lambda: all(p.got('welcome') for p in crowd), 'the others, which tried again')
        self.await_counted('connections')


if __name__ == '__main__':
    main()
