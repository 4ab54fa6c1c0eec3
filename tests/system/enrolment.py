"""Keys of a test, and that they are enrolled (tests/support/keys and enrol)."""
import functools, os, pathlib, shutil, subprocess, tempfile

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / 'support'


def make_keys(test):
    """What with-postgres does, for a test that runs without it."""
    test.addClassCleanup(shutil.rmtree, directory := tempfile.mkdtemp(dir='/tmp'))
    subprocess.run([SUPPORT / 'keys', directory], check=True, stdout=subprocess.DEVNULL)
    os.environ |= dict(TENDERD_KEY=f'{directory}/broker.key', TENDER_KEY=f'{directory}/peer.key')
    os.environ['TENDER_KNOWN_BROKERS'] = ''


@functools.cache
def enrol(_database):
    """Once for each database: while it runs, nobody serves the peers of a test."""
    subprocess.run([SUPPORT / 'enrol', os.environ['TENDER']], check=True)
