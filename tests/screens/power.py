#!/usr/bin/python3
"""Goal: the screens for collusion alarm nobody without need, and miss few. Method: seeded markets,
honest and rigged, lie in a private PostgreSQL in the place of the ledger's answers, and the view
tender.screening says which are flagged, with the formulas and thresholds that are shipped. Run
by tests/support/with-postgres:

    with-postgres power.py MIGRATE-PROGRAM [--long] [--picture FILE] [--seed SEED]

MIGRATE-PROGRAM makes the schema. Exits 0 when, by the binomial distribution, at most one honest
market in a hundred is flagged at each look, and 0.95 of those of each kind of collusion by their
30th tender. The short form draws 150 honest markets and 30 of each kind over 30 tenders; --long
1,000 and 100, the honest ones over 180, and --picture writes the share that is flagged against
the number of tenders.
"""

import argparse
import collections
import math
import os
import subprocess
import sys

import market
import picture

HERE = os.path.dirname(os.path.abspath(__file__))
FALSE_ALARMS, POWER, BY = 0.01, 0.95, 30
RARE = 0.001  # what would be so rare, were the claim true, is held against the claim
LAST_RIGGED = 60  # rigged markets are looked at until here


def psql(sql, text=None):
    command = ['psql', '-qXAt', '-F', '\t', '-v', 'ON_ERROR_STOP=1',
               '-c', 'set jit = off', '-c', sql]
    return subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, check=True).stdout


def rows_of(kind, index, seed, tenders):
    simulated = market.Market('%s/%s/%d' % (seed, kind, index), kind)
    for tender in range(1, tenders + 1):
        ceiling, units, answers, winner, setter = simulated.draw()
        for name, bid in answers:
            yield '%d\t%s.%d\t%s\t%s\t%d\t%d\t%s\t%s\n' % (
                tender, kind, index, name, '\\N' if bid is None else bid, ceiling, units,
                name == winner, name == setter)


def load(counts, seed, tenders):
    with open(os.path.join(HERE, 'stage.sql'), encoding='utf-8') as stage:
        psql(stage.read())
    last = {kind: tenders if kind == market.HONEST else min(tenders, LAST_RIGGED)
            for kind in counts}
    text = ''.join(row for kind, count in counts.items() for index in range(count)
                   for row in rows_of(kind, index, seed, last[kind]))
    psql('copy simulated from stdin', text)
    psql('create index on simulated (tender); analyze simulated')


def look(tender):
    """The highest excess of each screen in each market, as {skill: {screen: excess}}."""
    if tender > LAST_RIGGED:
        psql("delete from simulated where skill !~ '^honest'")
    psql('update look set tender = %d' % tender)
    found = collections.defaultdict(dict)
    sql = 'select skill, screen, max(excess) from tender.screening group by 1, 2'
    for row in psql(sql).splitlines():
        skill, screen, excess = row.split('\t')
        found[skill][screen] = float(excess)
    return found


def at_most(hits, count, share):
    """P(X <= hits) of a binomial."""
    return sum(math.comb(count, k) * share ** k * (1 - share) ** (count - k)
               for k in range(hits + 1))


def of_kind(found, kind, count):
    return [found.get('%s.%d' % (kind, index), {}) for index in range(count)]


def flagged(found, kind, count, factor=1.0):
    return sum(any(excess >= factor for excess in by.values())
               for by in of_kind(found, kind, count))


def alarms_too_often(hits, count):
    return hits > 0 and 1 - at_most(hits - 1, count, FALSE_ALARMS) < RARE


def misses_too_often(hits, count):
    return at_most(hits, count, POWER) < RARE


def tell(tender, found, counts):
    """Prints what a look saw, and returns the shares that were flagged and what is wrong."""
    wrong, shares = [], {}
    for kind, count in counts.items():
        if kind != market.HONEST and tender > LAST_RIGGED:
            continue
        hits = flagged(found, kind, count)
        shares[kind] = hits / count
        best = collections.Counter(
            screen for by in of_kind(found, kind, count) for screen, excess in by.items()
            if excess >= 1)
        print('tender %3d  %-14s %4d of %4d flagged  %s' % (
            tender, kind, hits, count,
            ', '.join('%s %d' % item for item in best.most_common())), flush=True)
        if kind == market.HONEST and alarms_too_often(hits, count):
            wrong.append('%d of %d honest markets are flagged at tender %d' % (hits, count, tender))
        if kind != market.HONEST and tender == BY and misses_too_often(hits, count):
            wrong.append('only %d of %d markets of kind %s are flagged at tender %d' % (
                hits, count, kind, tender))
    return shares, wrong


def what_cannot_fail(found, counts):
    """The claims must break with thresholds far off, or this test would see nothing."""
    wrong = []
    honest = counts[market.HONEST]
    if not alarms_too_often(flagged(found, market.HONEST, honest, 0.5), honest):
        wrong.append('thresholds of half the height alarm nobody either')
    if not any(misses_too_often(flagged(found, kind, count, 2.5), count)
               for kind, count in counts.items() if kind != market.HONEST):
        wrong.append('thresholds two and a half times as high miss nobody either')
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('migrate', nargs='+', help='program that makes the schema')
    parser.add_argument('--long', action='store_true')
    parser.add_argument('--picture')
    parser.add_argument('--seed', default='screens')
    options = parser.parse_args()
    subprocess.run(options.migrate, check=True, stdout=subprocess.DEVNULL)
    each = 100 if options.long else 30
    counts = {market.HONEST: 1000 if options.long else 150, **{kind: each for kind in market.KINDS}}
    looks = [10, 15, 20, 25, 30, 60, 120, 180] if options.long else [15, 30]
    load(counts, options.seed, looks[-1])
    wrong, curve, alarmed = [], {}, set()
    for tender in looks:
        found = look(tender)
        curve[tender], faults = tell(tender, found, counts)
        wrong += faults + (what_cannot_fail(found, counts) if tender == BY else [])
        alarmed |= {skill for skill, by in found.items()
                    if skill.startswith(market.HONEST) and max(by.values()) >= 1}
    print('%d of %d honest markets were flagged at any of %d looks' % (
        len(alarmed), counts[market.HONEST], len(looks)))
    if options.picture:
        with open(options.picture, 'w', encoding='utf-8') as file:
            file.write(picture.draw(curve, counts, BY, POWER, FALSE_ALARMS))
    for fault in wrong:
        print('not ok: %s (seed %s)' % (fault, options.seed), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
