#!/usr/bin/python3
"""Compares the core with the rules written a second time, on small books from a seed.

    check.py PROGRAM [--books=N] [--first=N] [--seed=N]    no difference: exit 0, else 1
    check.py PROGRAM --spoil [--books=N]                   each answer falsified must be noticed

PROGRAM is oracle_books; README.md has its lines.
"""

import argparse
import subprocess
import sys

import rules


class Words:
    """The words of a line, from left to right."""

    def __init__(self, words):
        self.words = iter(words)

    def text(self):
        return next(self.words)

    def number(self):
        return int(next(self.words))

    def rest(self):
        return list(self.words)


def read_book(words):
    terms = rules.Terms(words.number(), words.number(), words.number(), words.number(),
                        bytes.fromhex(words.text()), bytes.fromhex(words.text()))
    bids = [rules.Bid(words.text(), words.number(), words.number(), words.number(),
                      words.number(), words.number())
            for _ in range(words.number())]
    return terms, bids


def auction_answer(words):
    """What follows the bids of a line `auction`, by the rules."""
    terms, bids = read_book(words)
    answer = []
    for place, reason in rules.fates(terms, bids):
        answer += [place, reason]
    for place in range(1, len(rules.rank(terms, bids)) + 1):
        answer += rules.second_price(terms, bids, place)
    return list(map(str, answer))


def split_answer(words, said):
    """What follows the bids of a line `split`. What was delivered is taken from what was said."""
    units, ceiling, parts_max = words.number(), words.number(), words.number()
    terms, bids = read_book(words)
    counting = rules.rank(terms, bids)
    split = rules.Split([(bid.cost, bid.capacity) for bid in counting], units, ceiling, parts_max)
    division = split.division()
    winners = [i for i, own in enumerate(division) if own > 0]
    prices = {i: split.price(i) for i in winners}
    answer = [parts_max, len(winners), sum(division), split.best[0], sum(prices.values())]
    for i in winners:
        answer += [counting[i].name, division[i], prices[i]]
        for _ in range(2):
            delivered = int(said[len(answer)]) if len(said) > len(answer) else -1
            if not 0 <= delivered <= division[i]:
                return list(map(str, answer))  # too short: a difference
            answer += [delivered, split.pay(i, delivered)]
    assert sum(prices.values()) <= ceiling
    return list(map(str, answer))


def compare(line):
    """None, or (what the core said, what the rules say)."""
    kind, *fields = line.split()
    words = Words(fields)
    before = {"auction": 0, "split": 3}[kind]
    bids_at = before + 6
    answer_at = bids_at + 1 + 6 * int(fields[bids_at])
    said = fields[answer_at:]
    words = Words(fields[:answer_at])
    expected = auction_answer(words) if kind == "auction" else split_answer(words, said)
    return None if said == expected else (said, expected)


def spoiled(line):
    """The line with its last number one more: who sets a price, or what is paid. None when it has
    neither."""
    fields = line.split()
    if fields[0] == "auction" and (fields[7] == "0" or not fields[-1].isdigit()):
        return None
    fields[-1] = str(int(fields[-1]) + 1)
    return " ".join(fields)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--books", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="0x5eed")
    parser.add_argument("--spoil", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    program = [options.program, options.seed, str(options.first), str(options.books)]
    lines = checked = 0
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as said:
        for lines, line in enumerate(said.stdout, 1):
            if options.spoil:
                line = spoiled(line)
                if line is None:
                    continue
            checked += 1
            difference = compare(line)
            if (difference is None) == options.spoil:
                core, expected = difference or (line.split(), ["a difference"])
                print("the core:  ", *core, "\nthe rules: ", *expected, "\nthe book:  ", line)
                number = options.first + (lines - 1) // 2
                print(f"again: check.py {options.program} --seed={options.seed}"
                      f" --first={number} --books=1")
                said.terminate()
                return 1
    if said.returncode != 0 or lines != 2 * options.books or checked == 0:
        print(f"{options.program} ended with {said.returncode} after {lines} lines")
        return 1
    verdict = "falsified, each noticed" if options.spoil else "no difference"
    print(f"{options.books} books, {checked} lines: {verdict}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
