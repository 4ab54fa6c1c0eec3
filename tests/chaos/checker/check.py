#!/usr/bin/python3
"""Checks the ledger of TENDER_DATABASE, and the journals of a directory against it.

    check.py [--drained] [--lost-since TIME]… [--stepped] DIRECTORY

--drained          all tasks must have ended, and every announcement been answered
--lost-since TIME  by the journals' clock: the database lost commits of after it, and its peers were
                   told; what they were told of them counts as told, not as missing
--stepped          clocks were stepped while brokers changed: by real time, something may be early

Prints one finding a line and a count of each kind; exits 1 where there is any.
"""
import argparse, collections, pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import journals, ledger  # noqa: E402

KINDS = ('lost', 'doubled', 'paid-twice', 'missing', 'books', 'chain', 'life')


def check(directory, is_drained, losses=(), is_stepped=False):
    """The ledger, the findings, and how many facts are missing whose peer was told so."""
    read = ledger.Ledger()
    findings = [
        *read.findings,
        *journals.check_journals(read, directory, is_drained, losses, is_stepped),
    ]
    bad = [finding for finding in findings if finding[0] != 'told']
    return read, bad, len(findings) - len(bad)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--drained', action='store_true')
    parser.add_argument('--lost-since', type=int, action='append', default=[])
    parser.add_argument('--stepped', action='store_true')
    parser.add_argument('directory')
    arguments = parser.parse_args()
    read, findings, told = check(
        arguments.directory, arguments.drained, arguments.lost_since, arguments.stepped
    )
    counts = collections.Counter(kind for kind, _ in findings)
    for kind, text in findings:
        print(f'{kind}: {text}')
    print(
        f'tasks={len(read.tasks)} entries={read.entry_count} '
        + ' '.join(f'{kind}={counts[kind]}' for kind in KINDS)
        + f' told={told}'
    )
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
