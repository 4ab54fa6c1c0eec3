"""Two private PostgreSQL clusters, a primary and its streaming standby, for tests that fail over.

Sockets only, fsync on, made by initdb and pg_basebackup as a user other than root. `conninfo` names
both servers; `fail_over` ends the primary and promotes the other; `rebuild` makes the one that was
left behind a standby again, so that it can be done once more.
"""
import contextlib, os, pathlib, pwd, shutil, signal, subprocess, sys, tempfile, time

from server import processes

LIMIT = 120  # seconds for what should take a few
SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{directory}'
port = {port}
fsync = on
synchronous_commit = on
max_connections = 60
shared_buffers = 64MB
max_wal_size = 1GB
wal_level = replica
hot_standby = on
max_wal_senders = 8
wal_keep_size = 256MB
wal_receiver_status_interval = 1s
wal_retrieve_retry_interval = 100ms
timezone = 'UTC'
log_line_prefix = '%m [%p] %a '
"""


def binaries():
    candidates = [subprocess.run(['pg_config', '--bindir'], capture_output=True, text=True)
                  .stdout.strip()] if shutil.which('pg_config') else []
    candidates += map(str, sorted(pathlib.Path('/usr/lib/postgresql').glob('*/bin'), reverse=True))
    return next(path for path in candidates if os.access(f'{path}/initdb', os.X_OK))


def server_user():
    for name in ('postgres', 'nobody'):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            pass
    raise AssertionError('there is no user for the server')


class Server:
    """One cluster: its data, its socket (the pair's directory and a port), its log."""

    def __init__(self, pair, name, port):
        self.pair, self.name, self.port = pair, name, port
        self.data = pair.directory / name
        self.log = pair.directory / f'{name}.log'

    def conninfo(self, database):
        return f'host={self.pair.directory} port={self.port} user=postgres dbname={database}'

    def control(self, *arguments, check=True):
        return self.pair.run('pg_ctl', '-D', self.data, '-l', self.log, '-s', '-w', *arguments,
                             check=check)

    def start(self):
        self.control('-t', str(LIMIT), 'start')

    def stop(self, mode='fast'):
        self.control('-m', mode, 'stop', check=False)

    def kill(self):
        """As power loss does, but for the page cache: every process of the server at once."""
        pid = processes(self.data)[0]
        os.kill(pid, signal.SIGSTOP)  # it starts nobody more
        for process in reversed(processes(self.data)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.pair.wait(lambda: not pathlib.Path(f'/proc/{pid}').exists(), 'the server is gone')

    def sql(self, query, database='postgres'):
        stop = ['-v', 'ON_ERROR_STOP=1']
        done = self.pair.run('psql', '-qAtX', *stop, '-d', self.conninfo(database), '-c', query)
        return done.stdout.strip()


class Pair:
    def __init__(self, is_synchronous=True, database='tender', directory=None):
        self.is_synchronous, self.database = is_synchronous, database
        self.binaries, self.user = binaries(), server_user()
        self.directory = pathlib.Path(
            directory or tempfile.mkdtemp(prefix='tender-pair.', dir='/tmp')
        )
        if os.geteuid() == 0:
            shutil.chown(self.directory, self.user)
        self.primary = Server(self, 'one', 5432)
        self.standby = Server(self, 'two', 5433)
        self.run('initdb', '-D', self.primary.data, '-U', 'postgres', '--auth=trust', '--no-sync',
                 '--locale=C.UTF-8', '--encoding=UTF8')
        self._configure(self.primary, 'a')
        self.primary.start()
        self.primary.sql(f'create database "{database}"')
        self.attach()

    def run(self, program, *arguments, check=True):
        as_user = ['runuser', '-u', self.user, '--'] if os.geteuid() == 0 else []
        environment = {k: v for k, v in os.environ.items() if not k.startswith('PG')}
        done = subprocess.run(as_user + [f'{self.binaries}/{program}', *map(str, arguments)],
                              cwd='/', env=environment, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT)
        if check and done.returncode != 0:
            raise AssertionError(f'{program} {arguments}: {done.stdout}')
        return done

    def wait(self, condition, what):
        until = time.monotonic() + LIMIT
        while not condition():
            if time.monotonic() > until:
                raise AssertionError(f'waited {LIMIT} s in vain for: {what}')
            time.sleep(0.02)

    def _write(self, path, text, mode='w'):
        with open(path, mode) as file:
            file.write(text)
        if os.geteuid() == 0:
            shutil.chown(path, self.user)

    def _configure(self, server, mode):
        self._write(server.data / 'postgresql.conf',
                    SETTINGS.format(directory=self.directory, port=server.port), mode)

    @property
    def conninfo(self):
        """What a broker is given: both servers, in an order that does not change."""
        servers = sorted((self.primary, self.standby), key=lambda server: server.port)
        hosts = ','.join(str(self.directory) for _ in servers)
        ports = ','.join(str(server.port) for server in servers)
        return (f'host={hosts} port={ports} user=postgres dbname={self.database} '
                'target_session_attrs=read-write')

    def attach(self):
        """Makes `standby` anew from the primary, and waits until it follows."""
        shutil.rmtree(self.standby.data, ignore_errors=True)
        self.run('pg_basebackup', '-D', self.standby.data, '-d', self.primary.conninfo('postgres'),
                 '-X', 'stream', '-c', 'fast', '-R', '--no-sync')
        self._configure(self.standby, 'a')
        self._write(self.standby.data / 'postgresql.auto.conf',
                    f"primary_conninfo = '{self.primary.conninfo('postgres')} "
                    "application_name=other'\n")
        self.standby.start()
        self.wait(lambda: self.primary.sql("select count(*) from pg_stat_replication where state = "
                                           "'streaming'") == '1', 'the standby follows')
        if self.is_synchronous:
            self.primary.sql("alter system set synchronous_standby_names = 'other'")
            self.primary.sql('select pg_reload_conf()')
            self.wait(lambda: self.primary.sql('select sync_state from pg_stat_replication')
                      == 'sync', 'the standby is synchronous')

    def cut_off(self):
        """The standby receives nothing more, though the primary goes on: it falls behind."""
        self.standby.sql("alter system set primary_conninfo = ''")
        self.standby.sql('select pg_reload_conf()')
        self.wait(lambda: self.primary.sql('select count(*) from pg_stat_replication') == '0',
                  'the standby is cut off')

    def has_caught_up(self):
        return self.primary.sql(
            'select bool_and(replay_lsn >= pg_current_wal_lsn()) from pg_stat_replication') == 't'

    def fail_over(self, mode='kill'):
        """Ends the primary (kill, immediate or fast) and promotes the standby in its place."""
        if mode == 'kill':
            self.primary.kill()
        else:
            self.primary.stop(mode)
        self.standby.control('promote')
        self.primary, self.standby = self.standby, self.primary

    def rebuild(self):
        """The server that was left behind follows the new primary."""
        self.standby.stop('immediate')
        self.attach()

    def close(self):
        for server in (self.standby, self.primary):
            if (server.data / 'postmaster.pid').exists():
                server.stop('immediate')
        shutil.rmtree(self.directory, ignore_errors=True)


def main():
    """A pair for a person: prints its conninfo, and ends with standard input."""
    pair = Pair(is_synchronous='--asynchronous' not in sys.argv)
    try:
        print(pair.conninfo, flush=True)
        sys.stdin.read()
    finally:
        pair.close()


if __name__ == '__main__':
    main()
