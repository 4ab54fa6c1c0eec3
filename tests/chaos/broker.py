"""A tenderd of a scene, which is started again when it ends, as a service manager does."""
import contextlib, os, signal, subprocess, threading, time

from waiting import LIMIT, Violation, wait

EXITS = {0, 4, 5, -signal.SIGKILL}  # done, no ledger, nng is stuck, and what we do to it
PAUSE = 0.05  # seconds from its end until it is started again
SOCKET = '.s.PGSQL.5432'


class Broker:
    """`directory` is its own, for its socket and its log; `options` are further ones.

    environment  called for what each life has besides
    lives        process and environment of each
    is_held      it is not started again, until it is let go
    """

    def __init__(self, program, directory, database, options):
        self.directory, self.database, self.options = directory, database, options
        directory.mkdir(mode=0o700)
        self.url = f'ipc://{directory}/broker.ipc'
        self.log = open(directory / 'broker.log', 'ab')
        self.environment = dict
        self.lives = []
        self.process = None
        self.is_held = False
        self._program, self._ports = program, directory / 'ports'
        self._is_over = threading.Event()
        self._tending = threading.Thread(target=self._tend, daemon=True)

    def divert(self, directory):
        """Its way to PostgreSQL leads through a socket in `directory`, from its next life on.
        Returns that socket and PostgreSQL's own."""
        directory.mkdir()
        self.database = (
            f'postgresql:///{os.environ["PGDATABASE"]}?host={directory}'
            f'&port=5432&user={os.environ["PGUSER"]}'
        )
        return directory / SOCKET, f'{os.environ["PGHOST"]}/{SOCKET}'

    def start(self):
        self._ports.unlink(missing_ok=True)
        environment = self.environment()
        self.process = subprocess.Popen(
            [
                str(self._program),
                '--database', self.database,
                '--listen', self.url,
                '--ports-file', str(self._ports),
                '--grace', '200ms',
                '--keep-ended', '1s',  # so that the ledger is asked often
                *self.options,
            ],
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            env={**os.environ, **environment},
        )  # fmt: skip
        self.lives.append((self.process, environment))

    @property
    def is_ready(self):
        return self._ports.exists()

    def await_ready(self):
        process = self.process
        wait(lambda: self.is_ready or process.poll() is not None, 'broker that is ready')
        if not self.is_ready:
            raise Violation(f'the broker does not start: exit {process.returncode}')

    def tend(self):
        self._tending.start()

    def _tend(self):
        while not self._is_over.wait(0.01):
            code = self.process.poll()
            if code is not None and not self.is_held:
                if code not in EXITS:
                    return
                time.sleep(PAUSE)
                self.start()

    @property
    def is_up(self):
        return self.process.poll() is None and self.is_ready

    def check(self):
        code = self.process.poll()
        if code is not None and code not in EXITS:
            raise Violation(f'the broker ended with {code}')

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        """The tending thread starts it again."""
        self.process.kill()

    def says(self, words):
        """How often its log has them."""
        return (self.directory / 'broker.log').read_text(errors='replace').count(words)

    def _rest(self):
        self._is_over.set()
        if self._tending.is_alive():
            self._tending.join()

    def end(self):
        """In good order; after this it is not started again."""
        self._rest()
        self.check()
        if self.process.poll() is not None:  # it was about to be started
            self.start()
            self.await_ready()
        self.process.terminate()
        try:
            code = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired as error:
            raise Violation('the broker does not end') from error
        if code != 0:
            raise Violation(f'the broker ended with {code}')

    def close(self):
        """Leaves nothing running, whatever came before."""
        self._rest()
        if self.process is not None and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        self.log.close()
