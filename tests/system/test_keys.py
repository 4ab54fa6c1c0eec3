#!/usr/bin/python3
"""Keys: made and shown by the command, enrolled, rotated and revoked in the ledger by operators."""
import os
import pathlib
import re
import stat
import subprocess
import tempfile

from harness import CREDIT, LIMIT, Peer, SystemTest, main, unique
from peer import read_key

UNKNOWN_PRINCIPAL, UNKNOWN_KEY = 110, 111


class Keys(SystemTest):
    def key(self):
        path = os.path.join(tempfile.mkdtemp(dir=self.directory), 'key')
        text = self.tender('key', 'new', path, check=0).stdout.strip()
        self.assertRegex(text, r'^ed25519:[0-9a-f]{64}$')
        return path, text

    def principal(self, name):
        return self.sql.row(f"select * from tender.principal where principal = '{name}'")

    def agent(self, name):
        return self.sql.row(f"select * from tender.agent where agent = '{name}'")

    def test_a_key_lives_in_a_file_of_its_owners(self):
        path, text = self.key()
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertEqual(self.tender('key', 'show', path, check=0).stdout.strip(), text)
        seed = pathlib.Path(path).read_text().split()[1]
        said = self.tender('key', 'new', path, check=1)
        self.assertIn('left as it is', said.stderr)
        self.assertEqual(pathlib.Path(path).read_text().split()[1], seed)
        os.chmod(path, 0o640)
        said = self.tender('key', 'show', path, check=1)
        self.assertIn('chmod 600', said.stderr)
        self.assertNotIn(seed, said.stdout + said.stderr)
        self.assertNotIn(text, said.stdout + said.stderr)

    def test_who_is_enrolled_stays_so_over_a_restart(self):
        name, agent = unique('kiln'), unique('kiln')
        (_, first), (_, second), (_, third) = self.key(), self.key(), self.key()
        self.tender('agent', 'enrol', agent, '--principal', name, check=4)
        self.tender('principal', 'add', name, '--key', first, check=0)
        self.tender(
            'agent', 'enrol', agent, '--principal', name, '--key', second, '--skill', 'a,b', check=0
        )
        self.tender('agent', 'rotate', agent, '--key', third, check=0)
        row = self.agent(agent)
        self.assertEqual((row['principal'], row['key'], row['is_revoked']), (name, third, False))
        self.assertEqual(self.sql.value(f"select skills from tender.agent where agent = '{agent}'"),
                         ['a', 'b'])
        self.assertIn(third, self.tender('agents', check=0).stdout)
        self.assertIn(first, self.tender('principals', check=0).stdout)
        self.broker.kill()
        self.broker.start()
        self.tender('agent', 'revoke', agent, check=0)
        self.tender('principal', 'rotate', name, '--key', second, check=0)
        self.tender('principal', 'revoke', name, check=0)
        self.assertTrue(self.agent(agent)['is_revoked'])
        row = self.principal(name)
        self.assertEqual((row['key'], row['is_revoked'], row['parent']), (second, True, None))
        said = self.tender('principal', 'add', name, '--key', second, check=4)
        self.assertIn('revoked', said.stderr)
        self.tender('principal', 'add', name, '--key', first, check=0)
        self.assertFalse(self.principal(name)['is_revoked'])
        kinds = self.sql.rows(
            "select body::jsonb ->> 'key' as key from tender_ledger.entry "
            f"where kind = 29 and body::jsonb ->> 'principal' = '{name}' order by number"
        )
        keys = [row['key'] for row in kinds]
        digits = [re.sub('.*:', '', text) for text in (first, second, second, first)]
        self.assertEqual(keys, digits)

    def test_bad_input_is_named(self):
        (_, key), name = self.key(), unique('kiln')
        said = self.tender('principal', 'add', name, '--key', key[:-1], check=2)
        self.assertIn('tender key show', said.stderr)
        self.tender('principal', 'add', name, '--key', 'ed25519:' + '0' * 64, check=2)
        self.tender('principal', 'add', name, '--parent', unique('nobody'), check=4)
        self.tender('principal', 'rotate', name, '--key', key, check=4)
        self.tender('principal', 'revoke', name, check=4)
        self.tender('agent', 'revoke', name, check=4)
        self.tender('agent', 'rotate', name, '--key', key, check=4)

    def test_many_are_enrolled_by_one_statement(self):
        (_, key), stem = self.key(), unique('mill')
        self.sql.run(
            f"select max(tender.add_principal('{stem}-' || i, '{key}')) "
            "from generate_series(1, 500) i"
        )
        self.wait(
            lambda: self.sql.value(
                f"select count(*) from tender.principal where principal like '{stem}-%'"
            ) == 500,
            'all are enrolled',
        )

    def test_an_agent_offers_what_it_is_enrolled_for(self):
        limited, free = self.contractor(cost=CREDIT), self.contractor(cost=2 * CREDIT)
        self.ready(limited, free)
        key = self.tender('key', 'show', os.environ['TENDER_KEY'], check=0).stdout.strip()
        self.tender('principal', 'add', limited.principal, '--key', key, check=0)
        self.tender(
            'agent', 'enrol', limited.name, '-p', limited.principal, '--skill', 'other', check=0
        )
        client = self.client()
        task = client.announce(skill=self.skill)
        self.await_end(task, 'done')
        self.assertEqual(self.commitments(task)[0]['owner'], free.name)
        self.assertEqual(limited.got('cfp', task), [])
        self.assertIsNone(limited.refused)

    def says(self, key, principal, name=None):
        """What a peer with the key is answered: None where it is let in, or a reason."""
        peer = Peer(self.broker.url, name or unique('peer'), principal, key=read_key(key))
        self.peers.append(peer)
        self.wait(lambda: peer.got('welcome') or peer.refused, 'an answer')
        return peer, peer.refused and peer.refused.fields['reason']

    def test_nobody_is_let_in_who_is_not_enrolled(self):
        (path, key), (_, other), name = self.key(), self.key(), unique('kiln')
        peer, reason = self.says(path, name)
        self.assertEqual(reason, UNKNOWN_PRINCIPAL)
        self.assertIn('tender principal add', peer.refused.fields['text'])
        self.tender('principal', 'add', name, '--key', key, check=0)
        peer, reason = self.says(path, name)
        self.assertIsNone(reason)
        _, reason = self.says(os.environ['TENDER_KEY'], name)
        self.assertEqual(reason, UNKNOWN_KEY)  # what is enrolled for all is not for who has a name
        self.tender('principal', 'rotate', name, '--key', other, check=0)
        self.wait(lambda: peer.refused, 'its session ends')
        self.assertEqual(peer.refused.fields['reason'], UNKNOWN_KEY)

    def test_a_broker_that_is_met_again_must_have_the_key_that_it_had(self):
        (_, other), known, client = self.key(), self.directory / 'known', self.client()
        ours = self.tender('key', 'show', os.environ['TENDERD_KEY'], check=0).stdout.strip()

        def announces(**environment):
            """The exit code and what is said."""
            done = subprocess.run(
                [os.environ['TENDER'], 'announce', '--principal', client.principal, '--skill',
                 self.skill, '--units', '1', '--ceiling', '1'],
                env={**self.environment(), 'TENDER_KNOWN_BROKERS': str(known), **environment},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT,
            )  # fmt: skip
            return done.returncode, done.stderr

        for _ in range(2):
            self.assertEqual(announces()[0], 0)
            self.assertEqual(known.read_text(), f'{self.broker.url} {ours}\n')
        known.write_text(f'# it was another\n{self.broker.url} {other}\n')
        code, said = announces()
        self.assertEqual(code, 4, said)
        self.assertIn(f'{known}:2: the broker at {self.broker.url} had another key', said)
        self.assertEqual(announces(TENDER_KNOWN_BROKERS='')[0], 0)
        self.assertEqual(announces(TENDER_BROKER_KEY=ours)[0], 0)
        self.assertEqual(announces(TENDER_BROKER_KEY=other)[0], 4)

    def test_there_is_no_way_in_without_a_key(self):
        environment = {k: v for k, v in os.environ.items() if not k.endswith('_KEY')}
        said = subprocess.run(
            [os.environ['TENDERD'], '--listen', f'ipc://{self.directory}/other.ipc'],
            env=environment, capture_output=True, text=True, timeout=LIMIT,
        )
        self.assertEqual(said.returncode, 2, said)
        self.assertIn('tender key new', said.stderr)
        said = subprocess.run(
            [os.environ['TENDER'], 'contractor', 'exec', '--url', self.broker.url,
             '--name', 'kiln-1', '-p', 'kiln', '-s', 'forge', '--rate', '1', '--', 'cat'],
            env=environment, capture_output=True, text=True, timeout=LIMIT,
        )
        self.assertNotEqual(said.returncode, 0)
        self.assertIn('TENDER_KEY', said.stderr)


if __name__ == '__main__':
    main()
