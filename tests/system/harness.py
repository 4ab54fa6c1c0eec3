"""What system tests share: a broker on a private PostgreSQL, peers driven together, SQL.

A test file is run by tests/support/with-postgres, with TENDERD and TENDER naming the programs.
Waits are for conditions with generous limits; while one waits, all peers of the test are served.
"""
import contextlib, datetime, functools, hashlib, itertools, json, os, pathlib, resource, select
import shutil, signal, subprocess, sys, tempfile, time, unittest, uuid
import audit
import enrolment
import peer as protocol

HERE = pathlib.Path(__file__).parent
LIMIT = float(os.environ.get("TENDER_SYSTEM_LIMIT", 120))  # seconds for what should take a few
SECOND, MINUTE, HOUR, DAY = 10**6, 60 * 10**6, 3600 * 10**6, 86400 * 10**6
CREDIT = 10**6
DESCRIPTORS = (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
usual_descriptors = functools.partial(resource.setrlimit, resource.RLIMIT_NOFILE, DESCRIPTORS)
_count = itertools.count(1)


def unique(stem):
    return f'{stem}-{next(_count)}'


def instant(text):
    """Microseconds of an instant that PostgreSQL printed as JSON."""
    delta = datetime.datetime.fromisoformat(text) - datetime.datetime(
        1970, 1, 1, tzinfo=datetime.timezone.utc
    )
    return delta // datetime.timedelta(microseconds=1)


class SqlError(Exception):
    pass


class Sql:
    """One psql that stays: rows come as dictionaries."""

    def __init__(self):
        self._psql = None

    def close(self):
        if self._psql:
            self._psql.stdin.close()
            self._psql.wait()
            self._psql.stdout.close()
            self._psql = None

    def run(self, text):
        if self._psql is None:
            self._psql = subprocess.Popen(
                ['psql', '-qAtX', '-d', os.environ['TENDER_DATABASE']],
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        mark = f'--{uuid.uuid4()}--'
        lines = []
        with contextlib.suppress(BrokenPipeError):
            self._psql.stdin.write(f'{text}\n;\n\\echo {mark}\n')
            self._psql.stdin.flush()
        for line in self._psql.stdout:
            if line.rstrip('\n') == mark:
                break
            lines.append(line.rstrip('\n'))
        else:
            self.close()
            raise SqlError('connection lost: ' + ' '.join(lines))
        errors = [line for line in lines if line.startswith(('ERROR:', 'FATAL:', 'psql:'))]
        if errors:
            raise SqlError('\n'.join(lines) + '\n' + text)
        return lines

    def rows(self, query):
        return json.loads(
            '\n'.join(self.run(f"select coalesce(json_agg(t), '[]') from (\n{query}\n) t"))
        )

    def row(self, query):
        rows = self.rows(query)
        assert len(rows) == 1, (query, rows)
        return rows[0]

    def value(self, query):
        (row,) = self.row(query).values()
        return row


class Broker:
    """A tenderd with a directory of its own; killed and started again it has the same address."""
    more_urls = ()

    def __init__(self, directory, *options):
        directory.mkdir(mode=0o700, exist_ok=True)
        self.url = f'ipc://{directory}/broker.ipc'
        self.tcp = None
        self.log = directory / f'{unique("broker")}.log'
        self._ports = directory / 'ports'
        self._options = options
        self.process = None

    def start(self, wait=True):
        self._ports.unlink(missing_ok=True)
        with open(self.log, 'ab') as log:
            self.process = subprocess.Popen(
                [
                    os.environ['TENDERD'],
                    '--listen',
                    ' '.join((self.url, 'tcp://127.0.0.1:0', *self.more_urls)),
                    '--ports-file',
                    str(self._ports),
                    '--grace',
                    '1s',
                    *self._options,
                ],
                preexec_fn=usual_descriptors,  # a login's; the broker raises the limit
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        if wait:
            self.await_ready()
            enrolment.enrol(os.environ['TENDER_DATABASE'])
        return self

    def await_ready(self):
        until = time.monotonic() + LIMIT
        while not (self._ports.exists() and self._ports.read_text().endswith('\n')):
            if self.process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f'the broker does not start: {self.log.read_text()[-4000:]}')
            select.select([], [], [], 0.01)
        self.urls = self._ports.read_text().splitlines()
        self.tcp = next(line for line in self.urls if line.startswith('tcp'))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(LIMIT)


class Peer(protocol.Peer):
    def serve(self):
        self.inbox.clear()

    def got(self, performative, task=None):
        """What was said so, but for receipts of bids, which are informs with a place."""
        return [
            m
            for m in self.log
            if m.performative == performative
            and task in (None, m.conversation)
            and not (performative == 'inform' and 'number' in m.fields)
        ]


class Contractor(Peer):
    """Does what its test says: on_cfp and on_award are called with (self, message)."""

    def __init__(
        self,
        system,
        name,
        skill,
        cost=None,
        principal=None,
        eta_us=MINUTE,
        on_cfp=None,
        on_award=None,
        slots=16,
        heartbeat_us=5 * SECOND,
        url=None,
    ):
        super().__init__(
            url or system.broker.url, name, principal or f'{name}-ltd', heartbeat_us, [skill], slots
        )
        self.name, self.principal, self.skill, self.cost, self.eta_us = (
            name,
            principal or f'{name}-ltd',
            skill,
            cost,
            eta_us,
        )
        self.on_cfp = on_cfp or (Contractor.bid if cost is not None else None)
        self.on_award = on_award or Contractor.finish
        self.cfps, self.awards, self.acted = [], [], set()

    def serve(self):
        while self.inbox:
            message = self.inbox.popleft()
            kind = {'cfp': self.cfps, 'accept-proposal': self.awards}.get(message.performative)
            if kind is None:
                continue
            name = (
                message.performative,
                message.conversation,
                *(message.fields.get(key) for key in ('round', 'digest', 'part', 'generation')),
            )
            if name not in self.acted:
                self.acted.add(name)
                kind.append(message)
            act = self.on_cfp if kind is self.cfps else self.on_award
            if act:
                act(self, message)  # a repeat is answered again, in the same words

    def bid(self, cfp, cost=None, **fields):
        bid = dict(
            round=cfp.fields['round'],
            digest=cfp.fields['digest'],
            cost_micro=self.cost if cost is None else cost,
            eta_us=min(self.eta_us, cfp.fields['due_us']),
            nonce=hashlib.sha256(f'{self.name} {cfp.conversation}'.encode()).digest()[:16],
        )
        return self.send('propose', cfp.conversation, **{**bid, **fields})

    def decline(self, cfp, reason=40, **fields):
        self.send('refuse', cfp.conversation, round=cfp.fields['round'], reason=reason, **fields)

    def report(self, performative, award, units=None, **fields):
        award_of = dict(part=award.fields['part'], generation=award.fields['generation'])
        if performative != 'acknowledge':
            award_of['units_done'] = award.fields['units'] if units is None else units
        self.send(performative, award.conversation, **award_of, **fields)

    def acknowledge(self, award):
        self.report('acknowledge', award)

    def finish(self, award):
        self.report('acknowledge', award)
        self.report('inform-done', award, content=b'result')

    def fail(self, award, units=0, reason=47, **fields):
        self.report('failure', award, units, reason=reason, **fields)

    def nothing(self, message):
        pass


class Client(Peer):
    """A client; what it announces is a task with answers in its log."""

    def __init__(self, system, name, principal, heartbeat_us=5 * SECOND):
        super().__init__(system.broker.url, name, principal, heartbeat_us)
        self.system, self.name, self.principal = system, name, principal

    def say_announce(self, **terms):
        terms = {
            **dict(
                key=unique('key'),
                units=1,
                ceiling_micro=10 * CREDIT,
                window_us=20 * SECOND,
                due_us=HOUR,
            ),
            **terms,
        }
        self.send('announce', **terms)
        return terms['key']

    def answers(self, key):
        return [
            m
            for m in self.log
            if m.performative in ('agree', 'refuse', 'not-understood')
            and m.fields.get('key') == key
        ]

    def announce(self, **terms):
        """Announces and waits; the task's identifier, or the refusal."""
        key = self.say_announce(**terms)
        before = len(self.answers(key)) if terms.get('key') else 0
        self.system.wait(lambda: len(self.answers(key)) > before, 'an answer to the announcement')
        answer = self.answers(key)[-1]
        return answer.conversation if answer.performative == 'agree' else answer

    def ask(self, performative, task, **fields):
        """Sends cancel, close, release or query and waits for its answer."""

        def answers():
            return [
                m
                for m in self.log
                if m.conversation == task
                and m.performative in ('agree', 'refuse', 'not-understood')
            ]

        before = len(answers())
        self.send(performative, task, **fields)
        self.system.wait(lambda: len(answers()) > before, f'an answer to {performative}')
        return answers()[-1]

    def told(self, task, performative='inform'):
        return self.got(performative, task)


class SystemTest(unittest.TestCase):
    """One broker for the tests of a class; each test has skills, names and money of its own."""

    broker_options = ()
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(tempfile.mkdtemp(prefix='tender-system-', dir='/tmp'))
        cls.sql = Sql()
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)
        cls.addClassCleanup(cls.sql.close)
        if not cls.sql.rows("select 1 from pg_namespace where nspname = 'tender_ledger'"):
            cls.tender('ledger', 'migrate', check=0)
        cls.broker = Broker(cls.directory, *cls.broker_options).start()
        cls.addClassCleanup(cls._end_broker)

    @classmethod
    def _end_broker(cls):
        code = cls.broker.stop()
        log = cls.broker.log.read_text(errors='replace')
        if os.environ.get('TENDER_SYSTEM_LOG'):
            print(log, file=sys.stderr)
        assert (
            code == 0 and 'Sanitizer' not in log and 'level=error' not in log
        ), f'broker exit {code}: {log[-6000:]}'
        cls.tender('verify', check=0)

    def setUp(self):
        self.peers, self.processes = [], []
        if self.broker.process.poll() is not None:
            self.fail(
                f'the broker has ended: {self.broker.log.read_text(errors="replace")[-6000:]}'
            )

    def tearDown(self):
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
            process.wait(LIMIT)
            for stream in filter(None, (process.stdin, process.stdout)):
                stream.close()
        for peer in self.peers:
            peer.close(
                LIMIT if peer.url == self.broker.url and self.broker.process.poll() is None else 0
            )
        if self._outcome.success:
            self.audit()

    # peers ---------------------------------------------------------------------------------------

    def contractor(self, name=None, skill=None, **options):
        contractor = Contractor(self, unique(name or 'kiln'), skill or self.skill, **options)
        self.peers.append(contractor)
        return contractor

    def client(self, credits=1000, principal=None):
        principal = principal or unique('platform')
        if credits:
            self.fund(principal, credits)
        client = Client(self, unique('client'), principal)
        self.peers.append(client)
        return client

    @property
    def skill(self):
        return self.id().rsplit('.', 1)[1].lower().replace('_', '-')[:40].rstrip('-')

    def ready(self, *contractors):
        """Waits until the broker has agreed to each offer."""
        self.wait(
            lambda: all(c.got('agree', protocol.NIL) for c in contractors), 'the offers are agreed'
        )

    def pump(self, timeout=0.02):
        peers = {peer.fileno(): peer for peer in self.peers if peer.fileno() >= 0}
        readable = select.select(list(peers), [], [], timeout)[0] if timeout or peers else []
        for descriptor in readable:
            peers[descriptor].pump(0)
        for peer in self.peers:
            if peer.refused is None and (peer.fileno() < 0 or peer.is_stale()):
                peer.pump(0)
            peer.serve()

    def wait(self, condition, what, limit=LIMIT):
        until = time.monotonic() + limit
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > until:
                raise AssertionError(
                    f'waited {limit} s in vain for: {what}\n'
                    f'{self.broker.log.read_text(errors="replace")[-3000:]}'
                )
            self.pump()

    def await_end(self, task, state=None, limit=LIMIT):
        query = f"select * from tender.task where task_id = '{task}' and ended_at is not null"
        (row,) = self.wait(lambda: self.sql.rows(query), f'the end of task {task}', limit)
        if state:
            self.assertEqual(row['status'], state, row)
        return row

    # programs ------------------------------------------------------------------------------------

    @classmethod
    def environment(cls):
        return {**os.environ, 'TENDER_URL': cls.broker.url if hasattr(cls, 'broker') else ''}

    @classmethod
    def tender(cls, *arguments, check=None, input=None):
        """Runs the command and waits; for commands that need no peer of this test to be served."""
        done = subprocess.run(
            [os.environ['TENDER'], *map(str, arguments)],
            env=cls.environment(),
            text=True,
            input=input or '',
            capture_output=True,
            timeout=LIMIT,
        )
        if check is not None and done.returncode != check:
            raise AssertionError(
                f'{done.args} exits {done.returncode}, not {check}: {done.stdout} {done.stderr}'
            )
        return done

    def start(self, *command, **options):
        process = subprocess.Popen(
            list(map(str, command)),
            env=self.environment(),
            text=True,
            stdin=options.pop('stdin', subprocess.DEVNULL),
            **options,
        )
        self.processes.append(process)
        return process

    def tender_served(self, *arguments, check=None, input=None):
        """Runs the command while the peers of this test are served."""
        with tempfile.TemporaryFile('w+', dir=self.directory) as out, tempfile.TemporaryFile(
            'w+', dir=self.directory
        ) as source:
            source.write(input or '')
            source.seek(0)
            process = self.start(
                os.environ['TENDER'], *arguments, stdout=out, stderr=subprocess.STDOUT, stdin=source
            )
            self.wait(lambda: process.poll() is not None, f'the end of tender {arguments}')
            out.seek(0)
            text = out.read()
        if check is not None:
            self.assertEqual(process.returncode, check, f'tender {arguments}: {text}')
        return process.returncode, text

    # ledger --------------------------------------------------------------------------------------

    def fund(self, principal, credits):
        self.tender('account', 'fund', principal, credits, check=0)

    def entries(self, task, kind=None):
        where = f"and w.name = '{kind}'" if kind else ''
        return [
            dict(row['body'], kind=row['kind'], at=row['at'])
            for row in self.sql.rows(
                f"""select e.number, w.name as kind, e.at, e.body::json from tender_ledger.entry e
                join tender_ledger.word w on w.vocabulary = 'entry_kind' and w.code = e.kind
                where e.task_id = '{task}' {where} order by e.number"""
            )
        ]

    def bids(self, task, round=1):
        return {
            row['contractor']: row
            for row in self.sql.rows(
                f"select * from tender.bid where task_id = '{task}' and round = {round}"
            )
        }

    def commitments(self, task):
        return self.sql.rows(
            f"select * from tender.commitment where task_id = '{task}' order by commitment_id"
        )

    def account(self, principal):
        return self.sql.row(
            f"select available, reserved, spent, earned from tender.account "
            f"where principal = '{principal}'"
        )

    def audit(self):
        """What holds whatever happened."""
        for claim, query in audit.CLAIMS.items():
            self.assertEqual(self.sql.rows(query), [], claim)


def main():
    unittest.main(verbosity=2)
