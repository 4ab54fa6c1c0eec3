#!/usr/bin/python3
"""Goal: what a broker signs reaches witnesses outside, and is enough for them. Method: a broker
with a key, and a file and a command for checkpoints; what it leaves is checked without a ledger.
"""
import os, pathlib, shutil, subprocess, tempfile
from harness import CREDIT, SECOND, SystemTest, main


class Checkpoints(SystemTest):
    @classmethod
    def setUpClass(cls):
        work = pathlib.Path(tempfile.mkdtemp(prefix='tender-checkpoints-', dir='/tmp'))
        cls.addClassCleanup(shutil.rmtree, work)
        cls.key = work / 'broker.key'
        seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
        cls.key.touch(mode=0o600)
        cls.key.write_text(f'tender-ed25519 {seed}\n')
        cls.public = 'ed25519:d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
        cls.file = work / 'newest.checkpoint'
        cls.log = work / 'witness.log'
        cls.broker_options = (
            '--key', str(cls.key), '--checkpoint-every', '100ms',
            '--checkpoint-file', str(cls.file), '--checkpoint-command', f'cat >> {cls.log}',
        )  # fmt: skip
        super().setUpClass()

    def size(self, path):
        lines = path.read_text().splitlines() if path.exists() else []
        sizes = [int(line.split()[1]) for line in lines if line.startswith('size ')]
        return sizes[-1] if sizes else 0

    def outside(self, *arguments):
        """The command as an outsider has it: without the ledger."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(('PG', 'TENDER'))}
        return subprocess.run(
            [os.environ['TENDER'], 'verify', *map(str, arguments), '--key', self.public],
            env=environment, capture_output=True, text=True,
        )  # fmt: skip

    def play(self):
        client = self.client()
        self.ready(self.contractor(cost=CREDIT))
        task = client.announce(skill=self.skill, window_us=SECOND, close_alone=1)
        self.await_end(task, 'done')
        return task

    def leaves(self):
        return self.sql.value('select max(leaf) + 1 from tender_ledger.batch')

    def written(self, name, *command):
        path = self.directory / name
        path.write_text(self.tender(*command, check=0).stdout)
        return path

    def test_file_and_command_have_the_newest(self):
        self.play()
        self.wait(lambda: self.size(self.file) == self.leaves(), 'the file has the newest')
        self.wait(lambda: self.size(self.log) == self.leaves(), 'the command has had the newest')
        for path in (self.file, self.log):
            done = self.outside(path)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.tender('verify', '--key', self.public, check=0)

    def test_outsider_needs_a_file_and_the_key(self):
        task = self.play()
        self.tender('ledger', 'checkpoint', '--sign', self.key, check=0)
        proof = self.written('entry.proof', 'ledger', 'prove', task)
        done = self.outside(proof)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f'of task {task} is recorded', done.stdout)
        proof.write_text(proof.read_text().replace('"paid_micro":', '"paid_micro":1'))
        self.assertEqual(self.outside(proof).returncode, 1)

    def test_older_checkpoint_is_a_beginning_over_a_change_of_brokers(self):
        self.play()
        older = self.written('older.checkpoint', 'ledger', 'checkpoint', '--sign', self.key)
        self.broker.kill()
        self.broker.start()
        self.play()
        self.wait(lambda: self.size(self.file) == self.leaves(), 'the file has the newest')
        proof = self.written('since.proof', 'ledger', 'consistency', older)
        done = self.outside(proof)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f'checkpoint {self.size(older)} of shard 0 is the beginning', done.stdout)


if __name__ == '__main__':
    main()
