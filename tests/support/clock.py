"""A clock that a test steps, for programs started under it: libfaketime (Debian's `faketime`).

Only the wall clock is stepped; the monotonic clocks go on. The machine's own clock is never set.
"""
import contextlib, glob, os, pathlib, signal, subprocess, time


def library():
    """libfaketime for programs with threads, or None where it is not installed."""
    return next(iter(glob.glob('/usr/lib/*/faketime/libfaketimeMT.so.1')), None)


class Clock:
    """Steps by seconds from the real time; `path` is a file that the programs can read."""

    def __init__(self, path):
        self._path = pathlib.Path(path)
        self.step(0)
        self._path.chmod(0o644)

    def step(self, seconds):
        fresh = self._path.with_suffix('.new')
        fresh.write_text(f'{seconds:+.3f}\n')
        fresh.chmod(0o644)
        fresh.replace(self._path)  # never read half
        self.seconds = seconds

    def environment(self):
        return {
            'LD_PRELOAD': library(),
            'FAKETIME_TIMESTAMP_FILE': str(self._path),
            'FAKETIME_NO_CACHE': '1',
            'FAKETIME_DONT_FAKE_MONOTONIC': '1',
            'FAKETIME_DONT_RESET': '1',
            'ASAN_OPTIONS': ':'.join(
                filter(None, (os.environ.get('ASAN_OPTIONS'), 'verify_asan_link_order=0'))
            ),
        }

    @contextlib.contextmanager
    def around(self):
        """What is started within goes by this clock."""
        fake = self.environment()
        before = {name: os.environ.get(name) for name in fake}
        os.environ.update(fake)
        try:
            yield self
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


def restart_database(clock=None):
    """Starts the test's own cluster again, by `clock` or by the real time."""
    fake = clock.environment() if clock else {}
    # libfaketime shares memory with what a program starts, so it begins with the server's user.
    preload = fake.pop('LD_PRELOAD', '')
    subprocess.run(
        [os.environ['TENDER_TEST_PG_CTL'], 'restart', '-m', 'fast'],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **fake, 'TENDER_TEST_PRELOAD': preload},
    )


@contextlib.contextmanager
def frozen(processes):
    """SIGSTOP for as long as the block lasts."""
    stopped = []
    try:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
                stopped.append(process)
        yield
    finally:
        for process in reversed(stopped):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)
