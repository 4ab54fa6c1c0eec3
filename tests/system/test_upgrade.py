#!/usr/bin/python3
"""Ledgers that older programs wrote: they are migrated, and their tasks go on.

One has tasks of schema 9; one has the functions and views of the version before.
"""
import os, pathlib, subprocess, sys, uuid

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'support'))
import server
from harness import CREDIT, Contractor, SystemTest, main

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OLD_VERSION = 9
SCHEMA_VERSION = ROOT / 'sql/functions/schema_version.sql'
BASELINE = ROOT / 'tests/ledger/baseline.sql'
BASELINE_VERSION = 22


def make_ledger(version, *files):
    """The schema of the time, in one transaction as the program made it, and what was in it."""
    files = sorted((ROOT / 'sql/migrations').glob('*.sql'))[:version] + list(files)
    subprocess.run(
        ['psql', '-X', '-q', '-1', '-v', 'ON_ERROR_STOP=1', os.environ['TENDER_DATABASE']],
        input='\n'.join(f'\\i {file}' for file in files),
        env={**os.environ, 'PGOPTIONS': '-c client_min_messages=warning'},
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )


class Upgrade(SystemTest):
    @classmethod
    def setUpClass(cls):
        make_ledger(OLD_VERSION, SCHEMA_VERSION, ROOT / 'tests/ledger/old.sql')
        cls.tender('ledger', 'migrate', check=0)
        super().setUpClass()

    def task(self, key):
        return self.sql.row(f"select task_id from tender.task where key = '{key}'")['task_id']

    def test_the_schema_is_that_of_a_new_ledger(self):
        self.assertEqual(self.tender('ledger', 'check', '-o', 'csv', check=0).stdout.count('\n'), 1)

    def test_a_newer_schema_is_refused(self):
        self.sql.run("insert into tender_ledger.migration values (9999, '9999_x.sql', 'x')")
        try:
            for command, code in (('check', 2), ('migrate', 1), ('status', 1)):
                said = self.tender('ledger', command, check=code).stderr
                self.assertIn('newer', said, command)
        finally:
            self.sql.run('delete from tender_ledger.migration where version = 9999')

    def test_an_open_round_goes_on_with_its_content(self):
        task = self.task('old-open')
        bidders = [self.contractor(skill='nobody.old', cost=cost * CREDIT) for cost in (3, 4)]
        self.ready(*bidders)
        self.await_end(task, 'done')
        self.assertEqual(bidders[0].cfps[0].fields['content'], b'four units of old work')
        self.assertEqual([c['price'] for c in self.commitments(task)], [4])

    def test_a_commitment_is_kept_and_paid(self):
        task = self.task('old-awarded')
        owner = Contractor(self, 'kiln', 'forge.old', principal='kilns')
        self.peers.append(owner)
        self.ready(owner)
        owner.send(
            'inform-done', uuid.UUID(task), part=0, generation=1, units_done=3, content=b'here'
        )
        self.await_end(task, 'done')
        self.assertEqual(self.account('kilns')['earned'], 9)

    def test_an_announcement_of_before_is_the_same_task(self):
        flags = '-p acme -s mill.old -u 2 -c 8 -w 1s -d 10m --key old-done'.split()
        self.assertEqual(
            self.tender('announce', *flags, check=0).stdout.strip(), self.task('old-done')
        )
        self.tender('announce', *flags, '--accept', '1h', check=4)  # another body

    def test_what_had_ended_is_as_it_was(self):
        task = self.task('old-done')
        (commitment,) = self.commitments(task)
        self.assertEqual((commitment['status'], commitment['paid']), ('fulfilled', 8))
        self.assertEqual([e['kind'] for e in self.entries(task)][-1], 'settled')
        faults = self.sql.rows(f"select faults from tender.verify_task('{task}')")
        self.assertEqual(faults, [{'faults': 0}])


class VersionBefore(SystemTest):
    @classmethod
    def setUpClass(cls):
        server.own_database(cls, 'before')
        make_ledger(BASELINE_VERSION, BASELINE, SCHEMA_VERSION)
        cls.tender('ledger', 'migrate', check=0)
        super().setUpClass()

    def test_functions_and_views_of_before_make_way_for_those_of_now(self):
        self.assertEqual(self.tender('ledger', 'check', '-o', 'csv', check=0).stdout.count('\n'), 1)

    def test_a_task_is_done(self):
        client, worker = self.client(), self.contractor(cost=CREDIT)
        self.ready(worker)
        self.await_end(client.announce(skill=self.skill, close_alone=1), 'done')


if __name__ == '__main__':
    main()
