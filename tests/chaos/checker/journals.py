"""The journals of clients and contractors, held against the ledger: each task that was agreed is
in it and has ended, and so is every fact that the broker told or acknowledged. See ledger.py.

Where the database is known to have lost its last commits, the facts of that time may be missing, if
their peer was told of the loss: such a finding is of the kind "told".
"""
import collections, pathlib

SLACK_US = 250_000  # of a loaded machine
LOSS = '4'  # the contact that tells of a loss
ENDED = ('done', 'unallocated', 'cancelled')


class Journal:
    """The lines of one peer, as pairs of time and words."""

    def __init__(self, path, losses):
        self.name = path.name.removesuffix('.journal')
        self.lines = []
        for line in path.read_text().split('\n'):
            at_us, *words = line.split(' ')
            if words:
                self.lines.append((int(at_us), words))
        self.excused = collections.defaultdict(set)  # task: rounds and reasons it was told
        self.closed = set()  # tasks that it was told were lost, or had ended
        for _, (kind, *words) in self.lines:
            if kind == 'lost' or (kind == 'state' and words[1] in ENDED and words[4] == '0'):
                self.closed.add(words[0])
            elif losses and kind == 'complaint' and words[3] == 'unknown-task':
                self.closed.add(words[0])  # one that, it was told, had ended: lost with its end
            if kind == 'rejected':
                self.excused[words[0]].add(int(words[1]))
            elif kind in ('complaint', 'denied'):
                self.excused[words[0]].add('complaint')
        told = [at_us for at_us, words in self.lines if words == ['contact', LOSS]]
        self.unsure = [  # from what the standby had, until it was told that there was a loss
            (since_us, min((at_us for at_us in told if at_us >= since_us), default=since_us))
            for since_us in losses
        ]

    def may_be_lost(self, at_us):
        return any(since_us <= at_us < until_us for since_us, until_us in self.unsure)


def read_journals(directory, losses):
    paths = sorted(pathlib.Path(directory).glob('*.journal'))
    return [Journal(path, losses) for path in paths]


def numbers(words):
    return [int(word) for word in words]


class ClientCheck:
    def __init__(self, ledger, by_key, is_drained):
        self.ledger, self.by_key, self.is_drained = ledger, by_key, is_drained

    def check(self, journal):
        agreed, said, refused = {}, {}, set()
        for at_us, (kind, *words) in journal.lines:
            if kind == 'announce':
                said[words[0]] = words
            elif kind == 'unsaid':
                said.pop(words[0], None)
            elif kind == 'refused':
                refused.add(words[0])
            elif kind == 'agreed':
                key, task = words
                if agreed.setdefault(key, task) != task:
                    yield 'doubled', f'{journal.name}: {key} is task {agreed[key]} and task {task}'
                found = self.check_agreed(journal, key, task)
                yield from sift(journal, at_us, found, task in journal.closed)
            elif kind == 'state':
                yield from sift(journal, at_us, self.check_state(journal, words))
            elif kind == 'report':
                yield from sift(journal, at_us, self.check_report(journal, words))
        held = {key for client, key in self.by_key if client == journal.name}
        for key in refused & held:
            yield 'life', f'{journal.name}: {key} was refused and is in the ledger'
        if self.is_drained:
            for key in said.keys() - agreed.keys() - refused:
                yield 'lost', f'{journal.name}: {key} was never answered'
        for key in held - said.keys():
            yield 'life', f'{journal.name}: {key} is in the ledger and was never announced'

    def check_agreed(self, journal, key, task):
        told = self.ledger.tasks.get(task)
        if told is None or told.terms is None:
            yield 'lost', f'{journal.name}: task {task} ({key}) was agreed and is not in the ledger'
        elif (told.terms['client'], told.terms['key']) != (journal.name, key):
            yield 'missing', f'{journal.name}: task {task} was agreed for {key} and is another'
        elif self.is_drained and told.end is None and told.terms['skill'] != 'chaos/asleep':
            yield 'lost', f'{journal.name}: task {task} ({key}) has not ended'

    def check_state(self, journal, words):
        task, state, reason, _, part, generation, commitment, contractor, price, *rest = words
        told = self.ledger.tasks.get(task)
        name = (int(part), int(generation))
        where = f'{journal.name}: task {task} was told'
        if told is None:
            yield 'missing', f'{where} to be {state} and is not in the ledger'
            return
        if name[1] > 0:
            award = told.awards.get(name)
            if award is None:
                yield 'missing', f'{where} to be awarded as {name}, which it is not'
            elif contractor != '-' and award['contractor'] != contractor:
                yield 'doubled', f'{where} to be awarded as {name} to {contractor}'
            elif int(price) not in (0, award.get('price_micro', 0)):
                yield 'missing', f'{where} a price of {price} of {name}'
            if commitment not in ('-', 'active', 'delivered'):
                if told.ends.get(name, {}).get('state') != commitment:
                    yield 'missing', f'{where} that {name} is {commitment}'
        if state in ENDED and name[0] == 0:
            _, paid, released = numbers(rest)
            if told.end is None or told.end[0] != state:
                yield 'missing', f'{where} to be {state}, its entries say {told.end}'
            elif paid != told.paid or released not in (-1, told.end[2]):
                yield 'books', f'{where} to have paid {paid} and released {released}'

    def check_report(self, journal, words):
        task, part, generation, kind, contractor, _ = words
        told = self.ledger.tasks.get(task)
        name = (int(part), int(generation))
        if told is None or (name not in told.reported and name not in told.ends):
            yield 'missing', f'{journal.name}: task {task}: {kind} of {name} was passed on'
        elif told.awards[name]['contractor'] != contractor:
            yield 'doubled', f'{journal.name}: task {task}: {kind} of {name} came from {contractor}'


class ContractorCheck:
    def __init__(self, ledger, is_stepped):
        self.ledger, self.is_stepped = ledger, is_stepped

    def check(self, journal):
        checks = dict(award=self.check_award, settled=self.check_settled,
                      cancelled=self.check_cancelled, heard=self.check_heard)  # fmt: skip
        for at_us, (kind, *words) in journal.lines:
            if kind in checks:
                yield from sift(journal, at_us, checks[kind](journal, words))
            elif kind == 'dispute':
                text = f'{journal.name}: task {words[0]}: {" ".join(words[1:])}'
                yield from sift(journal, at_us, [('disputed', text)])
        yield from self.check_early(journal)

    def check_early(self, journal):
        """By real time: a commitment is made after its bid was said, and has its time. Where
        brokers changed meanwhile, the ledger's clock went on by theirs, which may be stepped."""
        said, bids = {}, {}
        for at_us, (kind, *words) in journal.lines:
            if kind == 'bid':
                said[words[0], words[2]] = at_us
            elif kind == 'award':
                bids[tuple(words[:3])] = said.get((words[0], words[5]))
            elif kind == 'cancelled' and words[3] == 'due-passed':
                since_us, told = bids.get(tuple(words[:3])), self.ledger.tasks.get(words[0])
                if since_us is None or told is None:
                    continue
                early_us = told.due_us - (at_us - since_us)
                if early_us > self.slack_us(told, words):
                    yield 'life', f'{journal.name}: task {words[0]} lapsed {early_us} µs too early'

    def slack_us(self, told, words):
        """A turn hears with the stamp that it began with, and brokers that follow each other ask
        the database for the time; stepped clocks differ by anything where brokers changed."""
        since_us, until_us = told.ages.get((int(words[1]), int(words[2])), (0, 0))
        was_recess = any(
            from_us <= until_us and since_us <= end_us
            for recesses in self.ledger.recesses.values()
            for from_us, end_us in recesses
        )
        return float('inf') if was_recess and self.is_stepped else SLACK_US

    def commitment(self, words):
        """The task, the name, and the bodies of award and settlement."""
        told = self.ledger.tasks.get(words[0])
        name = (int(words[1]), int(words[2]))
        if told is None:
            return None, name, None, None
        return told, name, told.awards.get(name), told.ends.get(name)

    def check_award(self, journal, words):
        told, name, award, _ = self.commitment(words)
        where = f'{journal.name}: task {words[0]}: award {name}'
        if award is None:
            yield 'missing', f'{where} was told and is not in the ledger'
        elif award['contractor'] != journal.name:
            yield 'doubled', f'{where} was told and is {award["contractor"]}\'s'
        elif numbers(words[3:5]) != [award['units'], award.get('price_micro', 0)]:
            yield 'missing', f'{where} was told with other units or another price'

    def check_settled(self, journal, words):
        told, name, award, end = self.commitment(words)
        state, units, paid = words[3], int(words[4]), int(words[5])
        where = f'{journal.name}: task {words[0]}: commitment {name}'
        if award is None:
            yield 'missing', f'{where} is not in the ledger'
        elif state not in ('active', 'delivered'):
            if end is None or end['state'] != state:
                yield 'missing', f'{where} was told to be {state}'
            elif paid not in told.sums[name]:
                yield 'missing', f'{where} was told to be paid {paid}'

    def check_cancelled(self, journal, words):
        told, name, award, end = self.commitment(words)
        where = f'{journal.name}: task {words[0]}: commitment {name}'
        if award is None or end is None:
            yield 'missing', f'{where} was told to be over, and is not'
        elif int(words[5]) not in told.sums[name]:
            yield 'missing', f'{where} was told to be paid {words[5]}'

    def check_heard(self, journal, words):
        kind, task, part, number, _ = words
        if kind == 'refuse':
            return  # of a round that is over by then it leaves no trace, nor an answer
        told = self.ledger.tasks.get(task)
        excuses = journal.excused.get(task, set())
        where = f'{journal.name}: task {task}: {kind} {part} {number} was heard'
        if told is None:
            # a cfp may leave before its round is recorded; who bids on what never was is told so
            if task not in journal.closed and (kind != 'bid' or not excuses):
                yield 'missing', f'{where} and the task is not in the ledger'
        elif kind == 'bid':
            # of one that comes when the task has ended nothing stays, and its answer may be lost
            is_over = int(number) == told.cut_round or excuses & {int(number), 'complaint'}
            if journal.name not in told.answers[int(number)] and not is_over:
                yield 'missing', f'{where} and is not recorded'
        else:
            name = (int(part), int(number))
            if name not in told.reported and name not in told.ends and 'complaint' not in excuses:
                yield 'missing', f'{where} and is not recorded'


def sift(journal, at_us, findings, was_told=True):
    """What was found of a line, where it may be lost as a loss that was told."""
    for kind, text in findings:
        yield 'told' if was_told and journal.may_be_lost(at_us) else kind, text


def check_journals(ledger, directory, is_drained, losses, is_stepped):
    """All findings of journals against a Ledger."""
    journals = read_journals(directory, losses)
    by_key = collections.defaultdict(list)
    for task in ledger.tasks.values():
        if task.terms is not None:
            by_key[task.terms['client'], task.terms['key']].append(task.name)
    for (client, key), tasks in by_key.items():
        if len(tasks) > 1:
            yield 'doubled', f'{client}: {key} is tasks {", ".join(tasks)}'
    client_check = ClientCheck(ledger, by_key, is_drained)
    contractor_check = ContractorCheck(ledger, is_stepped)
    for journal in journals:
        for at_us, (kind, *words) in journal.lines:
            if kind == 'lost' and not any(since_us < at_us for since_us in losses):
                yield 'lost', f'{journal.name}: task {words[0]} was told to be lost'
        check = client_check if journal.name.startswith('client') else contractor_check
        yield from check.check(journal)
