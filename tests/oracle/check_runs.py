#!/usr/bin/python3
"""Follows random walks of the core, and works out each draw and each hold by the rules.

    check_runs.py PROGRAM [--runs=N] [--first=N] [--seed=N]    no difference: exit 0, else 1
    check_runs.py PROGRAM --spoil [--runs=N]                   a draw or hold falsified in each run

PROGRAM is oracle_runs; README.md has its lines.
"""

import argparse
import random
import subprocess
import sys

import market

BEFORE_RESOURCES = {"own-task", "excluded", "not-connected", "no-slot", "on-hold", "not-covered"}


class Difference(Exception):
    pass


def require(condition, *what):
    if not condition:
        raise Difference(" ".join(map(str, what)))


class Run:
    """The market of one run, line by line."""

    def __init__(self):
        self.market = market.Market()
        self.draws = self.closes = 0
        self.wish = None  # the count asked for, until it is known what came of it

    def hear(self, kind, words):
        if self.wish is not None and kind not in ("counted", "refused"):
            self.uncounted()
        getattr(self, kind)(*words)
        if kind in ("awarded", "counted"):
            overdrawn = self.market.is_overdrawn()
            require(not overdrawn, "more hold than there are:", overdrawn)

    def end(self):
        if self.wish is not None:
            self.uncounted()

    def enrolled(self, name, principal, slots, *names):
        self.market.agents[name] = market.Agent(name, principal, int(slots), frozenset(names))
        self.market.owners[name] = principal

    def admitted(self, principal, parent=None):
        if parent is not None:
            self.market.parents[principal] = parent

    def departed(self, name):
        del self.market.agents[name]

    def count(self, name, count, contractor=""):
        self.wish = (name, contractor, int(count))

    def uncounted(self):
        """Nothing was said of the wish: it was so already."""
        name, contractor, count = self.wish
        require(self.market.counts.get((name, contractor), 0) == count, "not counted:", self.wish)
        self.wish = None

    def refused(self, reason):
        require(reason == "in-use" and self.market.refuses_count(*self.wish), "refused", self.wish)
        self.wish = None

    def counted(self, name, count, contractor=""):
        require(self.wish == (name, contractor, int(count)), "counted", name, count, contractor)
        require(not self.market.refuses_count(*self.wish), "counted though in use:", self.wish)
        self.wish = None
        if int(count) > 0:
            self.market.counts[name, contractor] = int(count)
        else:
            del self.market.counts[name, contractor]

    def announced(self, task, principal, invite_max, share, *names):
        self.market.tasks[task] = market.Task(principal, int(invite_max), int(share), names)

    def opened(self, task, number, head, *drawn):
        expected = self.market.draw(task, int(number), bytes.fromhex(head))
        require(list(drawn) == (expected or []), "drawn", drawn, "instead of", expected)
        self.draws += expected is not None

    def judge(self, task, ranks):
        """Whoever is ranked has what it needs; whoever lacked it, and no more, is told so."""
        reasons = dict(rank.split("=") for rank in ranks)
        for contractor, reason in reasons.items():
            if reason not in BEFORE_RESOURCES:
                require((reason == "resource-taken") == self.market.lacks(task, contractor),
                        contractor, "is judged", reason)
        self.closes += len(reasons) > 0
        return reasons

    def closed(self, task, reason, *ranks):
        if reason != "round-cancelled":
            reasons = self.judge(task, ranks)
            require((reason == "resource-taken") == ("resource-taken" in reasons.values()),
                    "closed for", reason)

    def awarded(self, task, contractor, generation, held, *ranks):
        if generation == "1":
            self.judge(task, ranks)
        require(not self.market.lacks(task, contractor), contractor, "wins, and lacks a resource")
        takes = self.market.takes(task, contractor)
        require((held == "1") == (len(takes) > 0), "held", held, "for", takes)
        self.market.active[task, generation] = contractor

    def settled(self, task, generation, state, freed):
        owner = self.market.active[task, generation]
        require((freed == "1") == (len(self.market.takes(task, owner)) > 0), "freed", freed)
        del self.market.active[task, generation]
        if state != "cancelled":
            record = self.market.ended.setdefault(self.market.owners[owner], [0, 0])
            record[0] += 1
            record[1] += state == "fulfilled"


def spoil(lines, seed):
    """One line falsified: a draw has another name, or a commitment holds what it does not."""
    chosen = [i for i, line in enumerate(lines)
              if line.startswith(("awarded", "settled")) or
              (line.startswith("opened") and len(line.split()) > 4)]
    if not chosen:
        return None
    at = random.Random(seed).choice(chosen)
    words = lines[at].split()
    if words[0] == "opened":
        words[-1] = words[-1] + "x"
    else:
        words[4] = str(1 - int(words[4]))
    return lines[:at] + [" ".join(words)] + lines[at + 1:]


def follow(lines):
    """The run, or the difference and the line at which it shows."""
    run = Run()
    line = ""
    try:
        for line in lines:
            kind, *words = line.split()
            run.hear(kind, words)
        run.end()
    except Difference as difference:
        return run, f"{difference}\nat: {line}"
    return run, None


def runs_of(stream):
    """(number, lines) of each run."""
    number, lines = None, []
    for line in stream:
        if line.startswith("run "):
            if number is not None:
                yield number, lines
            number, lines = int(line.split()[1]), []
        else:
            lines.append(line.rstrip("\n"))
    if number is not None:
        yield number, lines


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="0x5eed")
    parser.add_argument("--spoil", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    program = [options.program, options.seed, str(options.first), str(options.runs)]
    runs = draws = closes = 0
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as said:
        for number, lines in runs_of(said.stdout):
            if options.spoil:
                lines = spoil(lines, number)
            run, difference = follow(lines) if lines is not None else (Run(), "nothing to falsify")
            runs, draws, closes = runs + 1, draws + run.draws, closes + run.closes
            if (difference is None) == options.spoil:
                print(difference or "a falsified line went unnoticed")
                print(f"again: check_runs.py {options.program} --seed={options.seed}"
                      f" --first={number} --runs=1")
                said.terminate()
                return 1
    if said.returncode != 0 or runs != options.runs:
        print(f"{options.program} ended with {said.returncode} after {runs} runs")
        return 1
    verdict = "falsified, each noticed" if options.spoil else "no difference"
    print(f"{runs} runs, {draws} draws, {closes} closes: {verdict}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
