"""What a plug is pulled from: a private PostgreSQL, a broker or several, and the load."""
import contextlib, os, pathlib, resource, shutil, signal, subprocess, threading

import server
from broker import Broker
from waiting import LIMIT, Violation, now_us, wait

DRAIN_LIMIT = 150.0
SUPPRESSIONS = pathlib.Path(__file__).with_name('nng.supp')


class Load:
    """One process of the load, and how far it says it is."""

    def __init__(self, program, url, directory, log, **options):
        arguments = [str(program), '--url', url, '--directory', str(directory)]
        for name, value in options.items():
            arguments += ['--' + name.replace('_', '-'), str(value)]
        self._arguments, self._log = arguments, log
        self.counts = dict.fromkeys(
            ('announced', 'agreed', 'refused', 'ended', 'newest_us', 'slowest_us'), 0
        )
        self.has_ended = False
        self.process = None

    def start(self):
        self.has_ended = False
        self.process = subprocess.Popen(
            self._arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env={**os.environ, 'LSAN_OPTIONS': f'suppressions={SUPPRESSIONS}:print_suppressions=0'},
        )
        threading.Thread(target=self._listen, args=(self.process,), daemon=True).start()
        return self

    def _listen(self, process):
        for line in process.stdout:
            if line == 'ended\n':
                self.has_ended = True
            else:
                self.counts = {
                    name: int(value) for name, value in (word.split('=') for word in line.split())
                }

    @property
    def is_alive(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write('stop\n')
            self.process.stdin.flush()

    def leave(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait(LIMIT)

    def kill(self):
        self.process.kill()
        self.process.wait()


def contractors_at_most(broker_count):
    """In one process: each has a session with every broker, which takes some five descriptors."""
    _, descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (descriptors - 100) // (5 * broker_count)


class Scene:
    """Brokers of `names`, all told `broker_options`, and their load."""

    def __init__(self, programs, directory, seed, load, broker_options=(), names=('tender',)):
        self.programs, self.directory, self.seed = programs, directory, seed
        self.journals = directory / 'journals'
        self.journals.mkdir()
        database = os.environ['TENDER_DATABASE']
        self.brokers = [
            Broker(programs / 'tenderd', directory / name, database,
                   ('--broker', name, *broker_options))
            for name in names
        ]  # fmt: skip
        self.broker = self.brokers[0]
        self.url = ','.join(broker.url for broker in self.brokers)  # of the load
        self.load_log = open(directory / 'load.log', 'ab')
        contractors = min(load['contractors'], contractors_at_most(len(names)))
        self.load_options = {**load, 'contractors': contractors}
        self.shards = 1
        self.mounts = []
        self.main_load = None
        self.side_loads = []

    def command(self, *arguments, **options):
        return subprocess.run(
            [str(self.programs / 'tender'), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, 'TENDER_URL': self.url},
            **options,
        )

    def open(self):
        done = self.command('ledger', 'migrate', '--shards', str(self.shards))
        if done.returncode != 0:
            raise Violation(f'the schema cannot be made: {done.stdout}')
        for broker in self.brokers:
            broker.start()
            broker.await_ready()
        enrol = pathlib.Path(__file__).resolve().parents[1] / 'support/enrol'
        done = subprocess.run([str(enrol), str(self.programs / 'tender')])
        if done.returncode != 0:
            raise Violation('the load is not enrolled')
        for number in range(self.load_options.get('clients', 0)):
            done = self.command('account', 'fund', f'buyer-{number}', '100000000')
            if done.returncode != 0:
                raise Violation(f'no credit: {done.stdout}')
        self.main_load = self.add_load(**self.load_options)
        self.await_serving(now_us())
        for broker in self.brokers:
            broker.tend()

    def add_load(self, **options):
        return Load(
            self.programs / 'chaos_load', self.url, self.journals, self.load_log,
            **{'seed': self.seed, **options}).start()  # fmt: skip

    def check_alive(self):
        for broker in self.brokers:
            broker.check()
        if self.main_load.process.poll() not in (None, 0):
            raise Violation(f'the load ended with {self.main_load.process.returncode}')

    def holder(self):
        """The broker that reigns, and the one that stands by."""
        query = "select broker from tender.broker where state = 'reigns'"

        def found():
            name = self.sql(query, must=False).strip()
            return [b for b in self.brokers if b.directory.name == name]

        (reigns,) = wait(found, 'broker that reigns')
        (other,) = [broker for broker in self.brokers if broker is not reigns]
        return reigns, other

    def restart_broker(self, limit=LIMIT):
        """Kills it; seconds until the next one serves."""
        since_us = now_us()
        self.broker.kill()
        return self.await_serving(since_us, limit)

    def await_serving(self, since_us, limit=LIMIT):
        """Until a task is agreed that was announced after `since_us`; seconds from then."""

        def is_serving():
            self.check_alive()
            return self.main_load.counts['newest_us'] > since_us

        wait(is_serving, 'task that is agreed', limit, 0.005)
        return (self.main_load.counts['agreed_us'] - since_us) / 1e6

    def await_serving_all(self, since_us, limit=LIMIT):
        """The same for every client: several brokers answer for them."""

        def is_serving():
            self.check_alive()
            return self.main_load.counts['slowest_us'] > since_us

        wait(is_serving, 'task of each client that is agreed', limit, 0.005)
        return (now_us() - since_us) / 1e6

    def await_agreed(self, count):
        def has_agreed():
            self.check_alive()
            return self.main_load.counts['agreed'] >= count

        wait(has_agreed, f'agreement to {count} tasks', 600)

    def drain(self):
        """Announces nothing more and waits until every task has ended; then ends the broker."""
        self.main_load.stop()

        def is_drained():
            self.check_alive()
            return self.main_load.has_ended

        wait(is_drained, 'end of all tasks', DRAIN_LIMIT)
        wait(self.has_only_sleepers, 'end of all tasks in the ledger', DRAIN_LIMIT, 0.1)
        self.main_load.process.wait(LIMIT)
        for load in self.side_loads:
            load.leave()
        for broker in self.brokers:
            broker.end()

    def has_only_sleepers(self):
        """A client may have been told of an end that the database then lost."""
        open_count = self.sql(
            """select count(*) from tender.task where skill <> 'chaos/asleep'
            and status not in ('done', 'unallocated', 'cancelled')""", must=False)  # fmt: skip
        return open_count.strip() == '0'

    def close(self):
        """Leaves nothing running, whatever came before."""
        for load in [self.main_load, *self.side_loads]:
            if load is not None and load.is_alive:
                load.process.send_signal(signal.SIGCONT)
                load.kill()
        for broker in self.brokers:
            broker.close()
        self.load_log.close()
        self.start_database()

    def unmount(self):
        for mount in self.mounts:
            subprocess.run(['umount', '--lazy', str(mount)], check=False)

    def log_text(self):
        return ''.join(
            path.read_text(errors='replace') for path in self.directory.rglob('broker.log')
        )

    # PostgreSQL

    def sql(self, query, must=True):
        """What a query answers, as text; where it need not succeed, "" at a failure."""
        done = subprocess.run(
            ['psql', '-qAtX', '-d', os.environ['TENDER_DATABASE'], '-c', query],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, 'PGAPPNAME': 'chaos', 'PGCONNECT_TIMEOUT': '5'})  # fmt: skip
        if done.returncode != 0 and must:
            raise Violation(f'the database does not answer {query}')
        return done.stdout

    def terminate_backends(self):
        self.sql(
            """select pg_terminate_backend(pid) from pg_stat_activity
            where backend_type = 'client backend' and application_name <> 'chaos'
                and datname = current_database()""",
            must=False,
        )

    def pg_ctl(self, *arguments):
        return subprocess.run(
            [os.environ['TENDER_TEST_PG_CTL'], *arguments],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode  # fmt: skip

    def postmaster(self):
        """The process of the server, or 0."""
        return server.postmaster(os.environ['PGDATA'])

    def start_database(self):
        """As a service manager does: until it runs, also while old backends are about to leave."""

        def answers():
            if not self.postmaster():
                self.pg_ctl('start')
            return self.sql('select 1', must=False)

        wait(answers, 'PostgreSQL that answers', step=0.1)

    def kill_process(self, pid):
        """One of PostgreSQL, which is ours."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    # small filesystems

    def mount(self, directory, mebibytes):
        directory.mkdir(exist_ok=True)
        mount_small(directory, mebibytes)
        self.mounts.append(directory)

    def move_wal(self, directory):
        """Puts the write-ahead log into a directory of its own, in small pieces."""
        data = pathlib.Path(os.environ['PGDATA'])
        directory.mkdir(exist_ok=True)
        self.sql("alter system set max_wal_size = '64MB'")
        self.sql("alter system set min_wal_size = '32MB'")
        self.pg_ctl('stop', '-m', 'fast')
        shutil.move(data / 'pg_wal', directory / 'pg_wal')
        (data / 'pg_wal').symlink_to(directory / 'pg_wal')
        owner = data.stat()
        for path in (directory, *directory.rglob('*')):
            os.chown(path, owner.st_uid, owner.st_gid)
        os.chown(data / 'pg_wal', owner.st_uid, owner.st_gid, follow_symlinks=False)
        since_us = now_us()
        self.start_database()
        self.await_serving(since_us)


def mount_small(directory, mebibytes):
    subprocess.run(
        ['mount', '-t', 'tmpfs', '-o', f'size={mebibytes}m,mode=1777', 'tmpfs', str(directory)],
        check=True)  # fmt: skip


def may_mount(directory):
    """Whether small filesystems can be mounted here."""
    try:
        mount_small(directory, 1)
    except (OSError, subprocess.CalledProcessError):
        return False
    subprocess.run(['umount', str(directory)], check=True)
    return True


def programs_of(build):
    """Where tenderd, tender and chaos_load are, in a build or in a folder of copies."""
    found = {}
    for name in ('broker/shell/tenderd', 'broker/cli/tender', 'tests/chaos/chaos_load'):
        path = pathlib.Path(build) / name
        path = path if path.is_file() else path.parents[2] / path.name
        if not path.is_file():
            raise SystemExit(f'run: no {name} in {build}')
        found[path.name] = path
    return found
