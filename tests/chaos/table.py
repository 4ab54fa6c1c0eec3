"""Results of runs, one JSON object a line, and the table that they add up to."""
import json, pathlib

COLUMNS = ('plug', 'pulled', 'of plan', 'load', 'tasks', 'entries', 'lost', 'doubled', 'paid twice',
           'missing', 'books, chains', 'median s', 'worst s')  # fmt: skip


def append(path, row):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, 'a') as file:
        file.write(json.dumps(row) + '\n')


def read(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def add_up(rows):
    """One row for each plug, in the order in which they first come."""
    sums = {}
    for row in rows:
        total = sums.setdefault(row['plug'], {**row, 'times': [], 'runs': 0, 'agreed_total': 0})
        if total['runs'] > 0:
            for name in ('pulled', 'tasks', 'entries', 'told', 'seconds'):
                total[name] += row[name]
            for kind in row['findings']:
                total['findings'][kind] += row['findings'][kind]
        total['times'] += row['served_s']
        total['agreed_total'] += row['agreed']
        total['runs'] += 1
    return list(sums.values())


def cells(total):
    times = sorted(total['times'])
    found = total['findings']
    rate = total['agreed_total'] / max(total['seconds'], 1)
    return (
        total['does'],
        f'{total["pulled"]:,}',
        f'{total["plan"]:,}' if total['plan'] else '–',
        f'{total["contractors"]} contractors, {rate:.0f} tasks/s',
        f'{total["tasks"]:,}',
        f'{total["entries"]:,}',
        str(found['lost']) + (f' ({total["told"]:,} facts, and told so)' if total['told'] else ''),
        str(found['doubled']),
        str(found['paid-twice']),
        str(found['missing']),
        str(found['books'] + found['chain'] + found['life']),
        f'{times[len(times) // 2]:.2f}' if times else '–',
        f'{times[-1]:.2f}' if times else '–',
    )


def render(rows, left_out=()):
    """The table; plugs that were left out say so in it."""
    lines = ['| ' + ' | '.join(COLUMNS) + ' |', '|' + '---|' * len(COLUMNS)]
    lines += ['| ' + ' | '.join(cells(total)) + ' |' for total in add_up(rows)]
    empty = ' |' * (len(COLUMNS) - 2)
    lines += [f'| {kind.does} | NOT RUN: not possible here |{empty}' for kind in left_out]
    return '\n'.join(lines)
