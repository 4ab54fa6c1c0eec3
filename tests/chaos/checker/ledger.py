"""The ledger as a stranger reads it: entries by psql, their chains hashed again, the life of each
task and the books made from them anew. Shares nothing with the broker but the format that entry.h
states.

A finding is (kind, sentence); the kinds are lost, doubled, paid-twice, missing, books, chain, life.
"""
import collections, csv, hashlib, json, os, subprocess, uuid

csv.field_size_limit(1 << 30)
HOUSE = '00000000-0000-0000-0000-000000000000'
ENDED = {'fulfilled', 'failed', 'lapsed', 'declined', 'cancelled'}
Entry = collections.namedtuple('Entry', 'shard task number at_us kind hash body content')


def read_rows(query):
    """The rows of a query, as lists of text."""
    psql = subprocess.run(
        ['psql', '-qXv', 'ON_ERROR_STOP=1', '-d', os.environ['TENDER_DATABASE'], '-c',
         f'copy ({query}) to stdout (format csv)'],
        stdout=subprocess.PIPE, text=True, check=True)  # fmt: skip
    return csv.reader(psql.stdout.splitlines(keepends=True))


def read_entries():
    for shard, task, number, at_us, kind, digest, body, content in read_rows(
        """select e.shard, e.task_id, e.number, (extract(epoch from e.at) * 1000000)::bigint,
            w.name, encode(e.hash, 'hex'), e.body, encode(e.content, 'hex')
        from tender_ledger.entry e
        join tender_ledger.word w on w.vocabulary = 'entry_kind' and w.code = e.kind
        order by e.shard, e.task_id, e.number"""
    ):
        yield Entry(int(shard), task, int(number), int(at_us), kind, digest, body, content)


class Task:
    """What the entries of one task say, in order."""

    def __init__(self, name):
        self.name = name
        self.terms = None
        self.awards = {}  # (part, generation): the body of the award
        self.ends = {}  # (part, generation): the body of the settlement
        self.extra = collections.Counter()  # (part, generation): paid after its end
        self.sums = collections.defaultdict(set)  # the same: what it was paid in all, at any time
        self.covered = set()
        self.active = set()
        self.answers = collections.defaultdict(set)  # round: contractors
        self.reported = set()  # (part, generation)
        self.paid = 0
        self.end = None  # (state, reason, released)
        self.is_round_open = False
        self.reopens_at_us = 0
        self.due_us = 0  # how long each commitment has
        self.closed = (0, 0)  # the round that closed last without an award, and when
        self.cut_round = 0  # one that closed because the task ended
        self.ages = {}  # (part, generation): stamps of its award and of its end, or infinity

    def find(self, kind, text):
        yield kind, f'task {self.name}: {text}'

    def take(self, kind, body, at_us, recesses):
        """Yields what must not be; recesses are the pairs of their begin and end."""
        if self.end is not None and kind not in ('late', 'covered', 'acknowledged'):
            yield from self.find('life', f'{kind} after its end')
        name = (body.get('part', 0), body.get('generation', 0))
        if kind == 'announced':
            if self.terms is not None:
                yield from self.find('doubled', 'announced twice')
            self.terms = body
        elif self.terms is None:
            yield from self.find('life', f'{kind} before it was announced')
        elif kind == 'opened':
            self.is_round_open = True
            self.due_us = body.get('due_us', 0)
        elif kind == 'answered':
            self.answers[body['round']].update(a['contractor'] for a in body['answers'])
        elif kind == 'closed':
            self.is_round_open = False
            self.reopens_at_us = body.get('reopens_at_us', 0)
            self.closed = (body['round'], at_us)
        elif kind in ('awarded', 'assigned'):
            yield from self.award(name, body)
            self.ages[name] = (at_us, float('inf'))
        elif kind in ('progressed', 'delivered', 'late'):
            self.reported.add(name)
        elif kind == 'settled':
            yield from self.settle(name, body)
            yield from self.age(name, body, at_us, recesses)
        elif kind in ('covered', 'adopted'):
            yield from self.pay_more(kind, name, body)
        elif kind == 'ended':
            self.end = (body['state'], body.get('reason', 'none'), body.get('released_micro', 0))
        if 'task_state' in body:
            self.end = (
                body['task_state'],
                body.get('task_reason', 'none'),
                body.get('released_micro', 0),
            )
        if self.end is not None and self.closed[1] == at_us:
            self.cut_round = self.closed[0]

    def award(self, name, body):
        self.is_round_open = False
        if name in self.awards:
            yield from self.find('doubled', f'generation {name} is awarded twice')
        rivals = {other for other in self.active if other[0] == name[0] or 0 in (other[0], name[0])}
        if rivals:
            yield from self.find('doubled', f'{name} is awarded while {sorted(rivals)} is active')
        if body.get('price_micro', 0) < body.get('cost_micro', 0):
            yield from self.find('life', f'{name} is promised less than it asked for')
        self.awards[name] = body
        self.active.add(name)
        promised = sum(self.awards[other].get('price_micro', 0) for other in self.active)
        if promised + self.paid > self.terms.get('ceiling_micro', 0):
            yield from self.find('books', f'with {name} more is promised than its ceiling')

    def settle(self, name, body):
        if name in self.ends:
            yield from self.find('paid-twice', f'{name} is settled twice')
        if name not in self.awards:
            yield from self.find('life', f'{name} is settled and was never awarded')
            return
        award = self.awards[name]
        if body.get('contractor') != award.get('contractor'):
            yield from self.find('doubled', f'{name} is settled with another than its owner')
        if body.get('paid_micro', 0) > award.get('price_micro', 0):
            yield from self.find('books', f'{name} is paid more than its price')
        self.ends[name] = body
        self.active.discard(name)
        self.paid += body.get('paid_micro', 0)
        self.sums[name].add(body.get('paid_micro', 0))

    def age(self, name, body, at_us, recesses):
        """By stamps a commitment has its time; what ends in a recess is moved to its end."""
        since_us, _ = self.ages.get(name, (at_us, None))
        self.ages[name] = (since_us, at_us)
        due_us = self.awards.get(name, {}).get('due_at_us', 0)
        for from_us, until_us in recesses:
            due_us = until_us if from_us <= due_us < until_us else due_us
        if body.get('reason') == 'due-passed' and at_us < due_us:
            yield from self.find('life', f'{name} lapsed {due_us - at_us} µs before it was due')

    def pay_more(self, kind, name, body):
        if name not in self.ends:
            yield from self.find('life', f'{name} is {kind} and has not ended')
        if kind == 'covered':
            if name in self.covered:
                yield from self.find('paid-twice', f'{name} is covered twice')
            self.covered.add(name)
        self.extra[name] += body.get('paid_micro', 0)
        self.paid += body.get('paid_micro', 0)
        total = self.extra[name] + self.ends.get(name, {}).get('paid_micro', 0)
        self.sums[name].add(total)
        if total > self.awards.get(name, {}).get('price_micro', 0):
            yield from self.find('paid-twice', f'{name} is paid more than its price in all')

    def finish(self):
        """What must hold of it whenever one looks."""
        if self.terms is None:
            yield from self.find('life', 'entries without an announcement')
        elif self.end is None:
            if not (self.active or self.is_round_open or self.reopens_at_us):
                yield from self.find('lost', 'it has not ended and nothing will come of it')
        else:
            if self.active:
                yield from self.find('life', f'it has ended and {sorted(self.active)} is active')
            if self.paid + self.end[2] != self.terms.get('ceiling_micro', 0):
                yield from self.find(
                    'books',
                    f'paid {self.paid} and released {self.end[2]} of '
                    f'{self.terms.get("ceiling_micro", 0)}',
                )


class Ledger:
    """Everything, read once. `findings` are of the ledger alone."""

    def __init__(self):
        self.tasks = {}
        self.entry_count = 0
        self.findings = []
        self.recesses = collections.defaultdict(list)  # by shard: pairs of begin and end
        self.balance = collections.defaultdict(collections.Counter)
        self._read()
        for task in self.tasks.values():
            self.findings += task.finish()
            self._book(task)
        self._compare_accounts()
        self._compare_tables()

    def _read(self):
        chain, head, following = None, bytes(32), 1
        for entry in read_entries():
            self.entry_count += 1
            if (entry.shard, entry.task) != chain:
                chain, head, following = (entry.shard, entry.task), bytes(32), 1
            body = entry.body.encode()
            computed = hashlib.sha256(
                b'tender/entry/v1\0' + head + uuid.UUID(entry.task).bytes
                + entry.number.to_bytes(8, 'big') + entry.at_us.to_bytes(8, 'big', signed=True)
                + entry.kind.encode() + b'\0' + body).digest()  # fmt: skip
            head = bytes.fromhex(entry.hash)
            where = f'task {entry.task}: entry {entry.number}'
            if entry.number != following:
                self.findings.append(('chain', f'{where} follows entry {following - 1}'))
            elif computed != head:
                self.findings.append(('chain', f'{where} has another hash'))
            following = entry.number + 1
            fields = json.loads(entry.body)
            if entry.content and fields.get('content_digest') != hashlib.sha256(
                bytes.fromhex(entry.content)).hexdigest():  # fmt: skip
                self.findings.append(('chain', f'{where} has another content'))
            self._take(entry, fields)

    def _take(self, entry, fields):
        if entry.task != HOUSE:
            if entry.task not in self.tasks:
                self.tasks[entry.task] = Task(entry.task)
            recesses = self.recesses[entry.shard]
            self.findings += self.tasks[entry.task].take(entry.kind, fields, entry.at_us, recesses)
        elif entry.kind == 'recess':
            self.recesses[entry.shard].append((fields['from_us'], fields['until_us']))
        elif entry.kind == 'funded':
            self.balance[fields['principal']]['available'] += fields['amount_micro']

    def _book(self, task):
        if task.terms is None:
            return
        payer = self.balance[task.terms['principal']]
        ceiling = task.terms.get('ceiling_micro', 0)
        released = task.end[2] if task.end else 0
        payer['available'] += released - ceiling
        payer['reserved'] += ceiling - released - task.paid
        payer['spent'] += task.paid
        for name, award in task.awards.items():
            paid = task.ends.get(name, {}).get('paid_micro', 0) + task.extra[name]
            self.balance[award['principal']]['earned'] += paid

    def _compare_accounts(self):
        seen = set()
        for principal, *amounts in read_rows(
            """select principal, sum(available_micro), sum(reserved_micro), sum(spent_micro),
                sum(earned_micro) from tender_ledger.account group by principal"""
        ):
            seen.add(principal)
            computed = [
                self.balance[principal][b] for b in ('available', 'reserved', 'spent', 'earned')
            ]
            if computed != [int(amount) for amount in amounts]:
                self.findings.append(
                    ('books', f'account {principal} has {amounts}, and its entries say {computed}')
                )
        for principal in self.balance.keys() - seen:
            if any(self.balance[principal].values()):
                self.findings.append(('books', f'account {principal} is not there'))
        for posting, total in read_rows(
            'select posting_id, sum(amount) from tender.posting group by 1 having sum(amount) <> 0'
        ):
            self.findings.append(('books', f'posting {posting} sums to {total}'))

    def _compare_tables(self):
        seen = set()
        for task, status, paid, released in read_rows(
            """select task_id, status, (paid * 1000000)::bigint, (released * 1000000)::bigint
            from tender.task"""
        ):
            seen.add(task)
            told = self.tasks.get(task)
            if told is None or told.terms is None:
                self.findings.append(('life', f'task {task}: a row without entries'))
            elif told.end is not None and (told.end[0], str(told.paid), str(told.end[2])) != (
                status, paid, released):  # fmt: skip
                self.findings.append(
                    ('life', f'task {task}: its row says {status}, its entries {told.end}')
                )
            elif told.end is None and status in ('done', 'unallocated', 'cancelled'):
                self.findings.append(('life', f'task {task}: only its row says {status}'))
        for task in self.tasks.keys() - seen:
            self.findings.append(('lost', f'task {task}: entries without a row'))
        self._compare_commitments()

    def _compare_commitments(self):
        count = 0
        for name, status, paid in read_rows(
            'select commitment_id, status, (paid * 1000000)::bigint from tender.commitment'
        ):
            count += 1
            task, _, number = name.partition('/')
            part, _, generation = number.rpartition('.')
            key = (int(part or 0), int(generation))
            told = self.tasks.get(task)
            if told is None or key not in told.awards:
                self.findings.append(('life', f'commitment {name}: a row without its award'))
            elif (status in ENDED) != (key in told.ends):
                self.findings.append(('life', f'commitment {name}: its row or its entries ended'))
            elif status in ENDED:
                said = told.ends[key].get('paid_micro', 0) + told.extra[key]
                if told.ends[key]['state'] != status or str(said) != paid:
                    self.findings.append(
                        ('books', f'commitment {name}: row {status} {paid}, entries {said}')
                    )
        told = sum(len(task.awards) for task in self.tasks.values())
        if count != told:
            self.findings.append(('life', f'{told} awards and {count} rows of commitments'))
