"""The processes of a PostgreSQL server that is a test's own, by its data directory."""
import pathlib


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
