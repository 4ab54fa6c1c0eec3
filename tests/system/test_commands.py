#!/usr/bin/python3
"""The command and the SQL door: exit codes, tables for programs, transactions, and the replay."""
import json, os, subprocess, unittest
from harness import CREDIT, SqlError, SystemTest, main


class Commands(SystemTest):
    def pair(self, skill=None, **options):
        contractors = [
            self.contractor(skill=skill, cost=cost * CREDIT, **options) for cost in (2, 3)
        ]
        self.ready(*contractors)
        return contractors

    def flags(self, principal, *more):
        return [
            'announce',
            '--principal',
            principal,
            '--skill',
            self.skill,
            '--units',
            2,
            '--ceiling',
            '10',
            *more,
        ]

    def test_exit_codes_say_how_it_ended(self):
        client = self.client()
        self.pair()
        code, out = self.tender_served(
            *self.flags(client.principal, '--wait', '-o', 'json'), check=0
        )
        self.assertIn('"done"', out)
        code, out = self.tender_served(
            *self.flags(
                client.principal, '--rounds', 1, '--window', '1s', '--skill', 'none.here', '--wait'
            )
        )
        self.assertEqual(code, 1, out)  # it ended otherwise
        for bad in (
            ['--ceiling', '1.0000001'],
            ['--ceiling', '-1'],
            ['--ceiling', 'NaN'],
            ['--units', 0],
            ['--window', '5'],
            ['--skill', 'Upper'],
            ['--rounds', 101],
            ['--kill-fee', '101%'],
            ['--fallback', 'nobody'],
            ['--nonsense'],
        ):
            done = self.tender(*self.flags(client.principal, *bad), check=2)
            self.assertIn(bad[0].lstrip('-'), done.stderr)
        self.tender(*self.flags('poor', '--ceiling', '1'), check=4)
        self.tender('task', '0192f0c8-1a2b-7c3d-8e4f-5a6b7c8d9eaf', check=4)
        environment = {**self.environment(), 'TENDER_URL': f'ipc://{self.directory}/nobody.ipc'}
        away = subprocess.run(
            [os.environ['TENDER'], *map(str, self.flags(client.principal)), '--timeout', '2s'],
            env=environment,
            capture_output=True,
            text=True,
        )
        self.assertEqual(away.returncode, 3, away.stderr)
        environment = {
            **self.environment(),
            'TENDER_DATABASE': f'postgresql:///none?host={self.directory}',
        }
        away = subprocess.run(
            [os.environ['TENDER'], 'tasks'], env=environment, capture_output=True, text=True
        )
        self.assertEqual(away.returncode, 3, away.stderr)
        self.tender('check', check=0)

    def test_terms_that_contradict_one_another_are_told_what_they_must_be(self):
        client = self.client()
        for flags, why in (
            (['--lead-only'], 'only with improve'),
            (['--cover-all'], 'only with split_max'),
            (['--needs', 'gpu,gpu'], 'all different'),
            (['--evidence', 'result,,words'], 'parted by commas'),
            (['--accept', '1h', '--partial', 'cover'], 'pro_rata or none'),
        ):
            done = self.tender(*self.flags(client.principal), *flags, check=2)
            self.assertIn(why, done.stderr)
        self.assertEqual(self.account(client.principal)['reserved'], 0)
        done = self.tender('hold', 'skill:No', '--reason', 'other', check=2)
        self.assertIn('1 to 64 of a-z', done.stderr)

    def test_tables_are_for_programs_too(self):
        client = self.client()
        one, two = self.pair()
        task = client.announce(skill=self.skill, units=2)
        self.await_end(task, 'done')
        row = json.loads(self.tender('task', task, '-o', 'json', check=0).stdout)
        self.assertEqual((row['task_id'], row['status'], row['ceiling']), (str(task), 'done', '10'))
        for command in (
            ['tasks'],
            ['contractors'],
            ['explain', task],
            ['account'],
            ['account', client.principal],
            ['ledger', 'entries', task],
            ['ledger', 'entries'],
            ['ledger', 'status'],
        ):
            for form in ('table', 'json', 'csv'):
                out = self.tender(*command, '-o', form, check=0).stdout
                self.assertTrue(out.strip(), command)
                if form == 'json':
                    self.assertTrue(json.loads(out), command)
        self.tender('ledger', 'verify', task, check=0)
        explained = self.tender('explain', task, check=0).stdout
        for word in (one.name, two.name, 'lowest-cost', 'outbid'):
            self.assertIn(word, explained)

    def test_lines_of_json_announce_a_task_each(self):
        client = self.client()
        self.pair()
        lines = ''.join(
            json.dumps(dict(skill=self.skill, units=n + 1, ceiling='5', key=f'line-{n}')) + '\n'
            for n in range(20)
        )
        code, out = self.tender_served(
            'announce', '-', '-p', client.principal, input=lines, check=0
        )
        tasks = [line for line in out.split() if len(line) == 36]
        self.assertEqual(len(set(tasks)), 20)
        for task in tasks:
            self.await_end(task, 'done')

    def test_sql_announces_in_the_transaction_of_whoever_asks(self):
        client = self.client()
        one, two = self.pair()
        announce = (
            f"select tender.announce(p_principal => '{client.principal}', "
            f"p_skill => '{self.skill}', p_units => 2, "
            f"p_ceiling => 4, p_key => '%s', p_window => interval '20 s', p_due => interval '1 h')"
        )
        self.sql.run('begin; ' + announce % 'rolled-back' + '; rollback')
        self.sql.run('begin; ' + announce % 'kept' + '; commit')
        task = self.wait(
            lambda: self.sql.rows("select task_id from tender.task where key = 'kept'"), 'the task'
        )[0]['task_id']
        self.await_end(task, 'done')
        self.assertEqual(self.sql.rows("select 1 from tender.task where key = 'rolled-back'"), [])
        self.assertEqual(len(one.cfps), 1)
        request = self.sql.value(announce % 'kept')
        answer = self.wait(
            lambda: self.sql.value(f"select answer from tender.request where request = {request}"),
            'the answer',
        )
        self.assertEqual(
            (answer['performative'], answer.get('task') or answer.get('conversation')),
            ('agree', task),
        )
        for due in ("interval '0 s'", "interval '-1 h'", "interval '20 years'"):
            with self.assertRaises(SqlError):
                self.sql.run(announce.replace("interval '1 h'", due) % 'bad')
        with self.assertRaises(SqlError):
            self.sql.run(announce.replace('ceiling => 4', "ceiling => 'NaN'") % 'bad')

    def test_password_of_the_database_is_in_no_argument_of_psql(self):
        psql = self.directory / 'psql'  # in place of the real one: says what it was given
        psql.write_text('#!/bin/sh\necho "$@"\necho "$PGHOST $PGUSER $PGPASSWORD $PGDATABASE"\n')
        psql.chmod(0o700)

        def run(database):
            path = f'{self.directory}:{os.environ["PATH"]}'
            return subprocess.run(
                [os.environ['TENDER'], 'psql', '-c', 'select 1'], capture_output=True, text=True,
                env={**os.environ, 'PATH': path, 'TENDER_DATABASE': database},
            )  # fmt: skip

        done = run('postgresql://ann:s3cret@db.example/ledger?keepalives=1')
        self.assertEqual(
            (done.returncode, done.stdout.splitlines()),
            (0, ['-X -c select 1', 'db.example ann s3cret ledger']),
        )
        done = run('host=db.example sslpassword=s3cret')
        self.assertEqual((done.returncode, done.stdout), (2, ''))
        self.assertNotIn('s3cret', done.stderr)
        self.assertEqual(run('nonsense=1').returncode, 2)

    def test_replay_of_synthetic_rows_balances(self):
        done = self.tender('replay', '--synthetic', 2000, '--speed', 'max', check=0)
        row = self.sql.row(
            """
            select count(*) as tasks, count(*) filter (where status = 'done') as done,
                   sum(ceiling) as reserved, sum(paid + released) as accounted
            from tender.task where principal = 'replay-client'"""
        )
        self.assertEqual((row['tasks'], row['done']), (2000, 2000), done.stdout)
        self.assertEqual(row['reserved'], row['accounted'])

    @unittest.skipUnless(os.environ.get('TENDER_TRACE'), 'TENDER_TRACE names no file')
    def test_replay_of_the_trace_balances(self):
        self.tender('replay', '--trace', os.environ['TENDER_TRACE'], '--speed', 'max', check=0)


if __name__ == '__main__':
    main()
