#!/usr/bin/python3
"""No secret is where others can read it.

Goal: the database's password and the seeds of keys are in no command line, no log and nowhere
in the ledger while a system starts as ops/quickstart starts it, plays the worked example and
ends; nor in what the commands print. Method: the scripts of ops run with a marked password and
a PostgreSQL that logs all statements. What they hand to programs is noted at the one function
that all of it passes through, and command lines of all processes are read again and again until
the end; then everything that was printed, logged and dumped is searched.

Run by with-postgres --own: test_secrets.py BUILD
"""
import base64, os, pathlib, re, shutil, subprocess, sys, tempfile, threading, unittest

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
BUILD = sys.argv.pop(1)
PASSWORD = 'P4sSw0rd-that-nobody-sees'
LIMIT = 300  # seconds for what takes some

# Descriptor 7 receives all arguments that a program of the service user's is given.
SCRIPT = r'''
set -euo pipefail
checkout=$CHECKOUT home=$1
for part in common home cluster service system; do
    . "$checkout/ops/lib/$part.sh"
done
eval "unnoted_$(declare -f as_service)"
as_service() {
    printf '%s\n' "$@" >&7
    unnoted_as_service "$@" 7>&-
}
eval "short_$(declare -f wait_until)"
wait_until() {
    short_wait_until $(($1 * 10)) "${@:2}" # programs here have sanitizers, and much runs beside
}
trap 'system_stop "$home"' EXIT
home_prepare "$home" "$checkout"
system_keep_database "$home" "$(cat)"
system_start "$home" 6000
system_example "$home" 6000
system_show "$home"
for command in 'tender check' 'tender verify' 'tender tasks' 'tender account' 'tender --help' \
    "tender key show $home/keys/peer.key" "tender ledger checkpoint --sign $home/keys/broker.key" \
    'tenderd --show-config' "tenderd --check-config --config $home/tender.conf"; do
    system_do "$home" $command
done
'''


class Watcher(threading.Thread):
    """Reads the command lines of all processes, over and over, until it is told to end."""

    def __init__(self):
        super().__init__()
        self.found, self.rounds, self.programs = set(), 0, set()
        self.ended = threading.Event()

    def look(self):
        for name in filter(str.isdigit, os.listdir('/proc')):
            try:
                line = pathlib.Path(f'/proc/{name}/cmdline').read_bytes()
            except OSError:
                continue
            self.programs.add(os.path.basename(line.split(b'\0')[0]).decode(errors='replace'))
            if PASSWORD.encode() in line:
                self.found.add(line)

    def run(self):
        while not self.ended.is_set():
            self.look()
            self.rounds += 1

    def end(self):
        self.ended.set()
        self.join()


def secrets_of(home):
    """Each secret by a name, in the forms in which it could be written."""
    forms = {'password': [PASSWORD.encode()]}
    for name in ('broker', 'peer'):
        text = (home / 'keys' / f'{name}.key').read_text()
        seed = bytes.fromhex(re.fullmatch(r'tender-ed25519 ([0-9a-f]{64})\n', text)[1])
        digits = seed.hex().encode()
        forms[f'seed of {name}'] = [seed, digits, digits.upper(), base64.b64encode(seed)[:40]]
    return forms


class Secrets(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        server = pathlib.Path(os.environ['PGHOST'])
        if os.geteuid() == 0:  # who may enter the server's directory
            os.environ['TENDER_SERVICE_USER'] = server.owner()
        cls.directory = pathlib.Path(tempfile.mkdtemp(prefix='tender-secrets-', dir='/tmp'))
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.directory.chmod(0o755)
        cls.home = cls.directory / 'home'
        cls.run_to_end('cmake', '--install', BUILD, '--prefix', cls.home)
        (cls.home / '.tender-home').write_text(f'{CHECKOUT}\n')
        for setting in ("log_statement = 'all'", 'log_connections = on'):
            cls.psql(f'alter system set {setting}')
        cls.psql('select pg_reload_conf()')
        cls.play()
        cls.secrets = secrets_of(cls.home)

    @classmethod
    def run_to_end(cls, *words, **options):
        done = subprocess.run(
            [*map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT,
            **options,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout.decode(errors='replace')[-6000:]
        return done.stdout

    @classmethod
    def psql(cls, text):
        return cls.run_to_end('psql', '-X', '-q', '-c', text)

    @classmethod
    def play(cls):
        url = 'postgresql://postgres:{}@/{PGDATABASE}?host={PGHOST}'.format(PASSWORD, **os.environ)
        watcher = Watcher()
        watcher.start()
        noted = open(cls.directory / 'arguments', 'w+b')
        os.set_inheritable(noted.fileno(), True)
        ours = ('PG', 'TENDER_DATABASE')
        environment = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
        try:
            cls.printed = cls.run_to_end(
                'bash', '-c', f'exec 7>&{noted.fileno()} {noted.fileno()}>&-\n{SCRIPT}', 'bash',
                cls.home, input=url.encode(), pass_fds=[noted.fileno()],
                env={**environment, 'CHECKOUT': str(CHECKOUT)},
            )  # fmt: skip
        finally:
            watcher.end()
        noted.seek(0)
        cls.arguments, cls.watcher = noted.read(), watcher
        noted.close()

    def assert_clean(self, where, content, but=()):
        for name, forms in self.secrets.items():
            if name not in but and any(form in content for form in forms):
                at = next(content.find(form) for form in forms if form in content)
                self.fail(f'{where} has the {name}: …{content[max(0, at - 80) : at + 20]!r}')

    def test_no_command_line_has_a_secret(self):
        self.assertIn('tenderd', self.watcher.programs)
        self.assertIn('model-tier', self.watcher.programs)
        self.assertGreater(self.watcher.rounds, 10)
        self.assertEqual(self.watcher.found, set())
        self.assertIn(b'tenderd', self.arguments)
        self.assert_clean('an argument of a program', self.arguments)

    def test_nothing_printed_or_logged_has_a_secret(self):
        self.assertIn(b'quality-check', self.printed)  # the example was played
        self.assertIn(b"password='***'", self.printed)
        self.assert_clean('what is printed', self.printed)
        log = (pathlib.Path(os.environ['PGHOST']) / 'log').read_bytes()
        self.assertIn(b'statement: ', log)
        self.assert_clean("PostgreSQL's log", log)

    def test_only_files_of_their_owner_have_a_secret(self):
        may = {'database': 'password', 'env': 'password'}
        may |= {f'keys/{name}.key': f'seed of {name}' for name in ('broker', 'peer')}
        programs = {'bin', 'lib', 'libexec', 'include', 'share'}
        logs = []
        for path in filter(pathlib.Path.is_file, self.home.rglob('*')):
            name = str(path.relative_to(self.home))
            if name.split('/')[0] in programs:
                continue
            logs += [name] if name.startswith('log/') else []
            self.assert_clean(name, path.read_bytes(), but=may.get(name, ()))
            if name in may:
                self.assertEqual(path.stat().st_mode & 0o777, 0o600, name)
        self.assertIn('log/broker.log', logs)

    def test_ledger_has_no_secret(self):
        dump = self.run_to_end('pg_dump', '--format', 'plain')
        self.assertIn(b'COPY tender_ledger.entry', dump)
        self.assert_clean('the ledger', dump)

    def test_a_connection_string_that_cannot_be_used_is_not_quoted(self):
        for database in (
            f'postgresql://ann:{PASSWORD}@[::1',
            f'postgresql://ann:x@{PASSWORD}@nowhere.invalid/x',
            f'password=x {PASSWORD}',
            f'host={self.directory} password={PASSWORD}',
        ):
            for words in (
                ['tender', 'tasks'],
                ['tender', 'psql', '-c', 'select 1'],
                ['tender', 'ledger', 'migrate'],
                ['tenderd', '--key', self.home / 'keys/broker.key'],
            ):
                done = subprocess.run(
                    [self.home / 'bin' / words[0], *words[1:]],
                    env={**os.environ, 'TENDER_DATABASE': database},
                    capture_output=True,
                    timeout=LIMIT,
                )
                self.assertNotEqual(done.returncode, 0, words)
                self.assert_clean(f'{words[0]} {words[1]}', done.stdout + done.stderr)
                self.assertNotEqual(done.stdout + done.stderr, b'')


if __name__ == '__main__':
    unittest.main()
