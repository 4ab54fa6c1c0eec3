#!/usr/bin/python3
"""The checker finds what it is for. A sound little ledger and its journals pass, and each way of
doctoring them is named: a lost task, a doubled award, a missing fact, books that do not balance.
"""
import copy, hashlib, json, pathlib, sys, tempfile, unittest, uuid

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check, journals, ledger  # noqa: E402

TASK, OTHER = str(uuid.UUID(int=1 << 64)), str(uuid.UUID(int=2 << 64))


def chain(task, *entries, is_cut=False):
    """Rows as read_entries asks for them, rightly hashed."""
    head, rows = bytes(32), []
    for number, (kind, body) in enumerate(entries, 1):
        text = json.dumps(body)
        at_us = 1000 + number - (is_cut and number == len(entries))
        head = hashlib.sha256(
            b'tender/entry/v1\0' + head + uuid.UUID(task).bytes + number.to_bytes(8, 'big')
            + at_us.to_bytes(8, 'big') + kind.encode() + b'\0' + text.encode()
        ).digest()  # fmt: skip
        rows.append(['0', task, str(number), str(at_us), kind, head.hex(), text, ''])
    return rows


def announced(key):
    return (
        'announced',
        dict(client='client-0', principal='buyer-0', key=key, skill='chaos/1', units=4,
             ceiling_micro=100),
    )  # fmt: skip


def awarded(generation=1, units=4, price=60, contractor='contractor-1'):
    return (
        'awarded',
        dict(round=generation, generation=generation, contractor=contractor, units=units,
             principal=f'maker-{contractor[-1]}', cost_micro=price - 10, price_micro=price),
    )  # fmt: skip


def settled(generation=1, state='fulfilled', units=4, paid=60, contractor='contractor-1', **more):
    return (
        'settled',
        dict(generation=generation, contractor=contractor, principal=f'maker-{contractor[-1]}',
             state=state, units_done=units, paid_micro=paid, **more),
    )  # fmt: skip


def answered(*contractors):
    return ('answered', dict(round=1, answers=[dict(contractor=c) for c in contractors]))


class World:
    """One task that is done at once, and one that fails half way and is done by another."""

    def __init__(self):
        self.house = [('funded', dict(principal='buyer-0', amount_micro=1000))]
        self.first = [
            announced('client-0.0'), ('opened', dict(round=1)), answered('contractor-1'),
            awarded(),
            settled(task_state='done', task_reason='completed', released_micro=40),
        ]  # fmt: skip
        self.second = [
            announced('client-0.1'), ('opened', dict(round=1)), answered('contractor-1'),
            awarded(), settled(state='failed', units=2, paid=30),
            ('opened', dict(round=2)), awarded(2, 2, 40, 'contractor-2'),
            settled(2, units=2, paid=40, contractor='contractor-2'),
            ('ended', dict(state='done', reason='completed', released_micro=30)),
        ]  # fmt: skip
        self.accounts = [
            ['buyer-0', '870', '0', '130', '0'], ['maker-1', '0', '0', '0', '90'],
            ['maker-2', '0', '0', '0', '40'],
        ]  # fmt: skip
        self.tasks = [[TASK, 'done', '60', '40'], [OTHER, 'done', '70', '30']]
        self.commitments = [
            [f'{TASK}/1', 'fulfilled', '60'], [f'{OTHER}/1', 'failed', '30'],
            [f'{OTHER}/2', 'fulfilled', '40'],
        ]  # fmt: skip
        self.postings = []
        self.broken = None
        self.is_cut = False  # the last entry of the second task is at the time of that before it
        self.journals = {
            'client-0': [
                'announce client-0.0 chaos/1 4 100', 'announce client-0.1 chaos/1 4 100',
                f'agreed client-0.0 {TASK}', f'agreed client-0.1 {OTHER}',
                f'state {TASK} awarded none 1 0 1 active contractor-1 60 0 0 -1',
                f'report {TASK} 0 1 inform-done contractor-1 4',
                f'state {TASK} done completed 1 0 1 fulfilled contractor-1 60 4 60 40',
                f'state {OTHER} done completed 2 0 2 fulfilled contractor-2 40 4 70 30',
            ],
            'contractor-1': [
                f'bid {TASK} 0 1 50', f'heard bid {TASK} 0 1 50', f'award {TASK} 0 1 4 60 1',
                f'done {TASK} 0 1 4', f'heard done {TASK} 0 1 4',
                f'settled {TASK} 0 1 fulfilled 4 60', f'award {OTHER} 0 1 4 60 1',
                f'cancelled {OTHER} 0 1 due-passed 2 30',
            ],
            'contractor-2': [f'award {OTHER} 0 2 2 40 2', f'settled {OTHER} 0 2 fulfilled 2 40'],
        }  # fmt: skip

    def rows(self, query):
        if 'tender_ledger.entry' in query:
            rows = (chain(ledger.HOUSE, *self.house) + chain(TASK, *self.first)
                    + chain(OTHER, *self.second, is_cut=self.is_cut))  # fmt: skip
            if self.broken:
                self.broken(rows)
            return rows
        for name, rows in (
            ('tender_ledger.account', self.accounts), ('tender.posting', self.postings),
            ('tender.task', self.tasks), ('tender.commitment', self.commitments),
        ):  # fmt: skip
            if name in query:
                return rows
        raise AssertionError(query)

    def check(self, is_drained=True, losses=()):
        kept, ledger.read_rows = ledger.read_rows, self.rows
        try:
            with tempfile.TemporaryDirectory() as directory:
                for name, lines in self.journals.items():
                    text = ''.join(f'{at} {line}\n' for at, line in enumerate(lines))
                    (pathlib.Path(directory) / f'{name}.journal').write_text(text)
                _, findings, self.told = check.check(directory, is_drained, losses)
                return findings
        finally:
            ledger.read_rows = kept


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.world = World()

    def assert_found(self, kind, *words):
        findings = self.world.check()
        found = [text for found, text in findings if found == kind]
        self.assertTrue(any(all(w in text for w in words) for text in found), findings)

    def test_a_sound_ledger_has_no_findings(self):
        self.assertEqual(self.world.check(), [])

    def test_a_task_that_was_agreed_and_is_not_there(self):
        self.world.journals['client-0'].append(f'agreed client-0.0 {uuid.UUID(int=9)}')
        self.assert_found('lost', str(uuid.UUID(int=9)))
        self.assert_found('doubled', 'client-0.0')

    def test_a_task_whose_entries_are_gone(self):
        self.world.first = []
        self.assert_found('lost', TASK, 'not in the ledger')

    def test_a_task_that_has_not_ended(self):
        del self.world.second[-1]
        self.world.tasks[1][1:] = ['open', '70', '0']
        self.assert_found('lost', OTHER, 'nothing will come of it')
        self.assert_found('lost', OTHER, 'has not ended')

    def test_an_announcement_that_was_never_answered(self):
        self.world.journals['client-0'].append('announce client-0.2 chaos/1 4 100')
        self.assert_found('lost', 'client-0.2')
        self.assertEqual(self.world.check(is_drained=False), [])

    def test_two_tasks_under_one_key(self):
        self.world.second[0] = announced('client-0.0')
        self.assert_found('doubled', 'client-0.0', TASK, OTHER)

    def test_an_award_while_another_is_active(self):
        self.world.second.insert(4, awarded(3, 2, 20, 'contractor-2'))
        self.assert_found('doubled', OTHER, 'is active')

    def test_a_generation_that_is_awarded_twice(self):
        self.world.second[6] = awarded(1, 2, 40, 'contractor-2')
        self.assert_found('doubled', OTHER, 'awarded twice')

    def test_an_award_that_two_contractors_were_told(self):
        self.world.journals['contractor-2'].append(f'award {TASK} 0 1 4 60 1')
        self.assert_found('doubled', 'contractor-2', TASK)

    def test_a_payment_twice(self):
        self.world.first.insert(4, settled())
        self.assert_found('paid-twice', TASK, 'settled twice')
        self.world = World()
        covered = ('covered', dict(generation=1, principal='maker-1', paid_micro=20))
        self.world.second[-1:-1] = [covered, covered]
        self.assert_found('paid-twice', OTHER, 'covered twice')

    def test_facts_that_are_missing(self):
        for name, line in (
            ('contractor-1', f'heard bid {OTHER} 0 3 50'),
            ('contractor-2', f'heard done {TASK} 0 7 4'),
            ('contractor-1', f'award {TASK} 0 2 4 60 1'),
            ('contractor-1', f'award {TASK} 0 1 4 61 1'),
            ('contractor-1', f'settled {TASK} 0 1 fulfilled 4 59'),
            ('contractor-1', f'settled {TASK} 0 1 lapsed 4 60'),
            ('contractor-1', f'cancelled {TASK} 0 1 due-passed 4 12'),
            ('client-0', f'state {TASK} cancelled none 1 0 0 - - 0 4 60 40'),
            ('client-0', f'state {TASK} awarded none 1 0 2 active contractor-1 60 0 0 -1'),
            ('client-0', f'state {TASK} awarded none 1 0 1 active contractor-1 61 0 0 -1'),
            ('client-0', f'report {TASK} 0 2 inform-done contractor-1 4'),
        ):
            with self.subTest(line=line):
                self.world = World()
                self.world.journals[name].append(line)
                self.assert_found('missing', name)

    def test_a_bid_on_a_round_that_the_end_of_the_task_cut(self):
        self.world.journals['contractor-1'].append(f'heard bid {OTHER} 0 3 50')
        self.world.second[-1:-1] = [
            ('opened', dict(round=3)), ('closed', dict(round=3, reason='adopted'))
        ]  # fmt: skip
        self.assert_found('missing', 'contractor-1', OTHER)  # it closed, and then the task ended
        self.world.is_cut = True
        self.assertEqual(self.world.check(), [])

    def test_what_a_client_was_told_was_paid(self):
        self.world.journals['client-0'].append(
            f'state {TASK} done completed 1 0 0 - - 0 4 61 39'
        )
        self.assert_found('books', 'client-0', TASK)

    def test_a_refused_announcement_that_is_there(self):
        self.world.journals['client-0'].append('refused client-0.1 limit-reached')
        self.assert_found('life', 'client-0.1')

    def test_a_commitment_that_lapsed_before_its_time(self):
        self.world.first[1][1]['due_us'] = 6
        self.world.journals['contractor-1'] += [f'cancelled {TASK} 0 1 due-passed 4 60']
        self.assertEqual(self.world.check(), [])  # eight lines after its bid
        self.world.first[1][1]['due_us'] = journals.SLACK_US + 9
        self.assert_found('life', TASK, 'lapsed 250001 µs too early')

    def test_a_commitment_that_was_told_to_lapse_and_has_no_end(self):
        self.world.house.append(('recess', dict(from_us=1002, until_us=1007)))
        del self.world.second[4:]
        self.world.journals['contractor-1'].insert(0, f'bid {OTHER} 0 1 50')
        self.assert_found('missing', OTHER, 'was told to be over, and is not')

    def test_a_commitment_that_lapsed_before_it_was_due_by_stamps(self):
        award, end = self.world.second[3][1], self.world.second[4][1]  # stamped 1004 and 1005
        end['reason'] = 'due-passed'
        award['due_at_us'] = 1005
        self.assertEqual(self.world.check(), [])
        award['due_at_us'] = 1006
        self.assert_found('life', OTHER, 'lapsed 1 µs before it was due')
        award['due_at_us'] = 1003
        self.world.house.append(('recess', dict(from_us=1002, until_us=1007)))
        self.assert_found('life', OTHER, 'lapsed 2 µs before it was due')

    def test_a_bid_that_was_not_treated_as_it_must(self):
        self.world.journals['contractor-1'].append(f'dispute {OTHER} the bid is not in the book')
        self.assert_found('disputed', 'contractor-1', OTHER, 'is not in the book')

    def test_books_that_do_not_balance(self):
        self.world.accounts[0][1] = '871'
        self.assert_found('books', 'buyer-0')
        self.world = World()
        del self.world.accounts[2]
        self.assert_found('books', 'maker-2')
        self.world = World()
        self.world.postings = [['1/reserve', '0.000001']]
        self.assert_found('books', '1/reserve')
        self.world = World()
        self.world.first[-1][1]['released_micro'] = 39
        self.assert_found('books', TASK, 'released 39')

    def test_rows_that_differ_from_their_entries(self):
        self.world.tasks[0][1] = 'cancelled'
        self.assert_found('life', TASK, 'cancelled')
        self.world = World()
        self.world.commitments[0][2] = '59'
        self.assert_found('books', f'{TASK}/1')
        self.world = World()
        del self.world.commitments[0]
        self.assert_found('life', '3 awards and 2 rows')
        self.world = World()
        del self.world.tasks[0]
        self.assert_found('lost', TASK, 'without a row')

    def test_a_chain_that_was_tampered_with(self):
        for change, what in (
            (lambda rows: rows[4].__setitem__(5, '00' * 32), 'another hash'),
            (lambda rows: rows[4].__setitem__(6, rows[4][6].replace('60', '61')), 'another hash'),
            (lambda rows: rows[4].__setitem__(7, '00'), 'another content'),
            (lambda rows: rows.pop(3), 'follows'),
            (lambda rows: rows.__setitem__(slice(3, 5), rows[4:2:-1]), 'follows'),
        ):
            with self.subTest(what=what):
                self.world = World()
                self.world.broken = change
                self.assert_found('chain', TASK, what)

    def test_an_entry_after_the_end(self):
        self.world.first.append(('opened', dict(round=2)))
        self.assert_found('life', TASK, 'after its end')

    def lose(self, *lines):
        """The client was told of a task that is not there, and then these."""
        lost = uuid.UUID(int=9)
        self.world.journals['client-0'] += [
            'announce client-0.2 chaos/1 4 100', f'agreed client-0.2 {lost}',
            *(line.replace('TASK', str(lost)) for line in lines),
        ]  # fmt: skip

    def test_a_loss_that_was_told_is_none_of_ours(self):
        for end in ('lost TASK', 'state TASK done completed 1 0 0 - - 0 4 61 39'):
            self.world = World()
            ends = ['contact 4', end] if end.startswith('lost') else [end, 'contact 4']
            self.lose(*ends)
            self.assertEqual(self.world.check(losses=[8]), [])
            self.assertGreaterEqual(self.world.told, 1)

    def test_a_loss_of_which_nobody_was_told(self):
        for lines in ([], ['contact 4'], ['lost TASK'], ['contact 1', 'lost TASK']):
            with self.subTest(lines=lines):
                self.world = World()
                self.lose(*lines)
                self.assertIn('lost', [kind for kind, _ in self.world.check(losses=[8])])

    def test_a_report_on_what_was_told_to_be_lost(self):
        lost = uuid.UUID(int=9)
        self.world.journals['contractor-1'] += [
            f'award {lost} 0 1 4 60 1', 'contact 4', f'lost {lost} 0 1', f'heard done {lost} 0 1 4',
        ]  # fmt: skip
        self.assertEqual(self.world.check(losses=[7]), [])
        self.world.journals['contractor-1'][-2] = f'complaint {lost} 0 1 unknown-task'
        self.assertEqual(self.world.check(losses=[7]), [])
        self.assertEqual(['missing'] * 2, [kind for kind, _ in self.world.check()])

    def test_a_loss_that_was_told_and_was_none(self):
        self.world.journals['client-0'].append(f'lost {OTHER}')
        self.assert_found('lost', 'client-0', OTHER)

    def test_a_fact_of_before_the_loss(self):
        self.lose('contact 4', 'lost TASK')
        self.assertIn('lost', [kind for kind, _ in self.world.check(losses=[10])])

    def test_a_fact_of_after_the_loss_was_told(self):
        self.world.journals['contractor-2'] += ['contact 4', f'award {OTHER} 0 3 2 40 2']
        self.assertIn('missing', [kind for kind, _ in self.world.check(losses=[0])])

    def test_worlds_are_not_shared(self):
        before = copy.deepcopy(World().first)
        self.world.first.clear()
        self.assertEqual(World().first, before)


if __name__ == '__main__':
    unittest.main()
