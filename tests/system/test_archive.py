#!/usr/bin/python3
"""Tasks of the past leave a ledger in use: each step broken off and taken again, nothing waits,
the books add up, chains verify across the cut, and who asks for a task is told where it is."""
import os, pathlib, random, shutil, signal, subprocess, threading, time, uuid
import audit
from harness import CREDIT, SystemTest, main

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TASKS = int(os.environ.get('TENDER_PAST_TASKS', 12000))
FIRST, LAST = 95, 25  # days ago
PAYERS = 'acme', 'initech'  # one in each shard
SUMS = 'select principal, bucket, sum(amount) from tender.posting group by 1, 2 order by 1, 2'


class Archive(SystemTest):
    @classmethod
    def setUpClass(cls):
        cls.tender('ledger', 'migrate', '--shards', len(PAYERS), check=0)
        database = os.environ['TENDER_DATABASE']
        past = ['psql', '-qX', '-v', 'days=100', '-f', ROOT / 'tests/ledger/past.sql', database]
        subprocess.run(past, check=True, stdout=subprocess.DEVNULL)
        for payer in PAYERS:
            share = str(TASKS // len(PAYERS))
            fill = [os.environ['FILL_LEDGER'], share, str(FIRST), str(LAST), payer]
            subprocess.run(fill, check=True, stdout=subprocess.DEVNULL)
        super().setUpClass()
        cls.archive = cls.directory / 'archive'
        cls.archive.mkdir()

    def audit(self):
        """The money of so many tasks; their entries are looked at when they are verified."""
        for claim, query in list(audit.CLAIMS.items())[:2]:
            self.assertEqual(self.sql.rows(query), [], claim)

    def run_archive(self, days, *more, to=None, check=0):
        return self.tender(
            *['ledger', 'archive', '--older-than', f'{days}d', '--to', to or self.archive, *more],
            check=check,
        )

    def states(self):
        return {
            row['suffix']: row['state']
            for row in self.sql.rows(
                "select suffix, state from tender_ledger.partition where suffix <> 'before'"
            )
        }

    def oldest_live(self):
        return self.sql.row(
            """select p.suffix, p.from_id, p.to_id, t.task_id, t.key from tender_ledger.partition p
            cross join lateral (select f.task_id, f.key from tender_ledger.task f
                where f.task_id >= p.from_id and f.task_id < p.to_id order by f.task_id limit 1) t
            where p.state = 'live' order by p.from_id limit 1"""
        )

    def assert_nothing_is_lost(self, sums):
        """Whatever step it stands at: each task is here or remembered, all money is told."""
        found = self.sql.value(
            """select count(*) from (
                select task_id from tender_ledger.task where key like 'past-%' union
                select task_id from tender_ledger.archived_task where key like 'past-%') t"""
        )
        self.assertEqual(found, TASKS)
        self.assertEqual(self.sql.rows(SUMS), sums)

    def test_1_a_dry_run_changes_nothing(self):
        listed = self.run_archive(80, '--dry-run', '-o', 'csv').stdout.splitlines()
        self.assertGreaterEqual(len(listed), 2)  # a head and a week at least
        self.assertEqual(set(self.states().values()), {'live'})
        self.assertEqual(list(self.archive.iterdir()), [])

    def test_2_a_task_that_goes_on_keeps_its_time_and_is_named(self):
        part = self.oldest_live()
        self.sql.run(
            f"""insert into tender_ledger.open_part (ceiling_micro, units, round, part, shard,
            task_id, payer) values (0, 1, 1, 0, 0, '{part['task_id']}', 'acme')"""
        )
        try:
            said = self.run_archive(85).stderr
        finally:
            self.sql.run(
                f"delete from tender_ledger.open_part where task_id = '{part['task_id']}'"
            )
        self.assertIn(f"{part['suffix']} waits for task {part['task_id']}", said)
        self.assertEqual(self.states()[part['suffix']], 'live')

    def test_3_a_broken_chain_does_not_leave(self):
        part = self.oldest_live()
        table = f"tender_ledger.task_{part['suffix']}"
        edit = "update {0} set body = {1} where task_id = '{2}'"
        self.sql.run(f'alter table {table} disable trigger task_is_append_only')
        kept = self.sql.value(f"select body from {table} where task_id = '{part['task_id']}'")
        self.sql.run(edit.format(table, "body || ' '", part['task_id']))
        try:
            said = self.run_archive(85, check=1).stderr
        finally:
            self.sql.run(edit.format(table, f"$body${kept}$body$", part['task_id']))
            self.sql.run(f'alter table {table} enable trigger task_is_append_only')
        self.assertIn(f"entry 1 of task {part['task_id']} has another hash", said)
        self.assertEqual(self.states()[part['suffix']], 'live')
        self.assertFalse((self.archive / f"tender-{part['suffix']}").exists())

    def test_4_each_step_is_taken_by_a_run_of_its_own(self):
        sums = self.sql.rows(SUMS)
        part = self.oldest_live()
        for state in ('exported', 'detached', 'archived'):
            self.run_archive(85, '--stop-at', state)
            self.assertEqual(self.states()[part['suffix']], state)
            self.assert_nothing_is_lost(sums)
            self.assertEqual(self.tender('ledger', 'check').returncode, 0)
        self.assertEqual(
            self.sql.rows(f"select relname from pg_class where relname like '%{part['suffix']}%'"),
            [],
        )

    def test_5_killed_at_any_moment_it_goes_on_where_it_was(self):
        """Killed until it comes through by itself, a little later each time."""
        sums = self.sql.rows(SUMS)
        kills, patience = 0, 0.02
        command = ['ledger', 'archive', '--older-than', '60d', '--to', self.archive]
        while True:
            process = self.start(os.environ['TENDER'], *command, stdout=subprocess.DEVNULL)
            try:
                code = process.wait(patience)
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            kills += 1
            patience *= random.uniform(1.1, 1.5)
            # What it was at in the database ends when that sees that nobody listens.
            self.sql.run(
                "select pg_terminate_backend(pid, 10000) from pg_stat_activity "
                "where application_name = 'tender' "
                "and pid not in (select backend_pid from tender_ledger.reign)"
            )
            self.assert_nothing_is_lost(sums)
        self.assertEqual(code, 0)
        self.assertGreater(kills, 5)
        self.assert_nothing_is_lost(sums)
        self.assertEqual(set(self.states().values()), {'live', 'archived'})
        self.tender('ledger', 'verify', '--archive', self.archive, check=0)
        whole = self.tender('verify', '--archive', self.archive, check=0).stdout
        self.assertNotIn('left for archives', whole)

    def test_6_L5_nothing_live_waits(self):
        sums = self.sql.value("select count(*) from tender.archive where state = 'archived'")
        worker, client = self.contractor(cost=CREDIT), self.client(credits=10**6)
        self.ready(worker)
        waits, samples, is_over = [], [], threading.Event()

        def watch():
            sampler = type(self.sql)()
            while not is_over.is_set():
                rows = sampler.rows(
                    """select l.relation::regclass::text as what, extract(epoch from
                    clock_timestamp() - l.waitstart) as seconds from tender_ledger.reign r
                    join pg_stat_activity a on a.pid = r.backend_pid
                    left join pg_locks l on l.pid = a.pid and not l.granted"""
                )
                samples.extend(rows[:1])  # only where the broker's backend is seen
                waits.extend(row for row in rows if row['seconds'])
                time.sleep(0.005)
            sampler.close()

        thread = threading.Thread(target=watch)
        thread.start()
        done = []
        try:
            command = ['ledger', 'archive', '--older-than', '30d', '--to', self.archive]
            process = self.start(os.environ['TENDER'], *command, stdout=subprocess.DEVNULL)
            while process.poll() is None or not done:
                task = client.announce(skill=self.skill, window_us=10**7, close_alone=1)
                self.await_end(task, 'done')
                done.append(task)
        finally:
            is_over.set()
            thread.join()
        self.assertEqual(process.returncode, 0)
        archived = self.sql.value("select count(*) from tender.archive where state = 'archived'")
        self.assertGreater(archived, sums)
        longest = max([row['seconds'] for row in waits], default=0)
        print(f'{len(done)} tasks meanwhile, {len(samples)} looks, longest wait {longest:.3f} s')
        self.assertGreater(len(samples), 10)
        self.assertLess(longest, 1)  # a moment at most, while a table leaves its place

    def test_7_who_asks_is_told_where_it_is(self):
        row = self.sql.row(
            "select task_id, archive from tender.archived_task where key = 'past-7' and principal = 'acme'"
        )
        task = row['task_id']
        commands = (
            ['task', task],
            ['explain', task],
            ['watch', task],
            ['ledger', 'entries', task],
            ['ledger', 'verify', task],
            ['cancel', task, '--principal', 'acme'],
            ['result', f'{task}/1'],
        )
        for command in commands:
            said = self.tender(*command, check=4).stderr
            self.assertIn('archive', said, command)
        said = self.tender('ledger', 'verify', task, '--archive', self.archive, check=0).stdout
        self.assertIn(f"5 entries in the archive {row['archive']}, the chain is whole", said)

    def test_8_keys_go_on_meaning_what_they_meant(self):
        first = self.client(principal='acme')
        terms = dict(skill=self.skill, units=2, ceiling_micro=CREDIT)
        again = first.announce(**terms, key='new-key')
        digest = f"(select body_digest from tender_ledger.task_key where task_id = '{again}')"
        old = self.sql.value(
            "select task_id from tender.archived_task where key = 'past-8' and principal = 'acme'"
        )
        self.assertEqual(first.announce(**terms, key='past-8').fields['reason'], 82)  # a conflict
        self.sql.run(
            f"""alter table tender_ledger.task_key disable trigger all;
            update tender_ledger.task_key set body_digest = {digest}
            where key = 'past-8' and principal = 'acme';
            alter table tender_ledger.task_key enable trigger all"""
        )
        # the same body: the same task
        self.assertEqual(str(first.announce(**terms, key='past-8')), old)
        newer = first.announce(**{**terms, 'units': 3}, key='past-8', again=uuid.UUID(old).bytes)
        query = f"select again from tender.task where task_id = '{newer}'"
        self.assertEqual(self.sql.value(query), old)
        after = first.announce(**terms, key='behind', after=uuid.UUID(old).bytes)  # that was done
        self.assertEqual(
            self.sql.value(f"select status from tender.task where task_id = '{after}'"), 'open'
        )
        self.assertEqual(first.ask('query', uuid.UUID(old)).fields['reason'], 109)
        for task in (again, newer, after):
            first.ask('cancel', task)

    def test_9_an_archive_that_was_touched_is_found_out(self):
        self.tender('ledger', 'verify', '--archive', self.archive, check=0)
        archives = self.archive.glob('tender-*')
        oldest = min(path for path in archives if (path / 'entries.jsonl').stat().st_size)
        for name in ('entries.jsonl', 'rows.jsonl', 'manifest.json'):
            copy = self.directory / f'copy-{name}'
            shutil.copytree(self.archive, copy)
            file = copy / oldest.name / name
            data = bytearray(file.read_bytes())
            place = data.rindex(b'"', 0, len(data) // 2) - 1
            data[place] = ord('x') if data[place] != ord('x') else ord('y')
            file.write_bytes(data)
            self.tender('ledger', 'verify', '--archive', copy, check=1)
            shutil.rmtree(copy / oldest.name)  # and one that is missing
            self.tender('ledger', 'verify', '--archive', copy, check=1)
        facts = 'tender_ledger.archived_task', 'tender_ledger.task_key'
        self.run_archive(30)
        before = [self.sql.value(f'select count(*) from {table}') for table in facts]
        self.run_archive(30, '--forget', '90d')
        after = [self.sql.value(f'select count(*) from {table}') for table in facts]
        self.assertGreaterEqual(before[0] - after[0], 0)
        self.assertEqual(before[0] - after[0], before[1] - after[1])


if __name__ == '__main__':
    main()
