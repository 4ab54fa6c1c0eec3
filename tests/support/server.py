"""A PostgreSQL server that is a test's own: its processes, and databases of its own for a class."""
import os, pathlib, subprocess


def postmaster(data):
    """The server's own process, or 0 where it does not run."""
    try:
        pid = int((pathlib.Path(data) / 'postmaster.pid').read_text().split()[0])
        return pid if b'postgres' in pathlib.Path(f'/proc/{pid}/cmdline').read_bytes() else 0
    except (OSError, IndexError):
        return 0


def processes(data):
    """The server's own process and all its children; OSError where it does not run."""
    pid = postmaster(data)
    children = pathlib.Path(f'/proc/{pid}/task/{pid}/children').read_text().split()
    return [pid, *map(int, children)]


def own_database(test_class, name):
    """Makes a new database of the cluster, which is the class's: before it opens any other."""
    before = {key: os.environ[key] for key in ('PGDATABASE', 'TENDER_DATABASE')}
    test_class.addClassCleanup(os.environ.update, before)
    subprocess.run(['createdb', name], check=True)
    os.environ['PGDATABASE'] = name
    os.environ['TENDER_DATABASE'] = before['TENDER_DATABASE'].replace(
        f'/{before["PGDATABASE"]}?', f'/{name}?'
    )
