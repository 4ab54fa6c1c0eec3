#!/usr/bin/env python3
"""Writes cost_model.json: signals of the cost model beside what they must give, for all languages.

It computes by exact fractions from the formula of contractor-sdk/PROTOCOL.md ("What to bid") and
shares nothing with the C library. `cost_model.py` writes the file; `cost_model.py --check` fails
where it would be another, or where that document states other signals. Vectors that were released
keep their numbers.
"""
import json
import random
import re
import sys
from fractions import Fraction
from math import ceil
from pathlib import Path

FILE = Path(__file__).resolve().with_suffix(".json")
PROTOCOL = FILE.parent.parent.parent / "contractor-sdk/PROTOCOL.md"
ABOUT = ("Each vector changes some of the defaults and states the whole answer. Integers are "
         "decimal strings, since they go beyond 2^53. error: \"\", \"out-of-range\" (EINVAL: field "
         "is the first signal at fault, in the order of defaults) or \"limit\" (ELIMIT: field is "
         "the result that is beyond its limit, and its value is one above that).")

MILLION = 10**6
MONEY_MAX = 10**18
DURATION_MAX = 3660 * 86400 * MILLION
TOKENS_MAX = 10**12
QUEUE_MAX = 10**15
PRICE_MAX = 10**15
SURGE_MAX = 10**9
UNITS_MAX = 10**9
SLOTS_MAX = 65535

RANGES = {
    "in_price_micro": (0, PRICE_MAX), "out_price_micro": (0, PRICE_MAX),
    "service_tokens": (1, TOKENS_MAX), "service_us": (1, DURATION_MAX), "workers": (1, SLOTS_MAX),
    "floor_micro": (0, MONEY_MAX), "queue_max_tokens": (0, QUEUE_MAX),
    "surge_from_ppm": (0, MILLION - 1), "surge_max_ppm": (0, SURGE_MAX),
    "units": (1, UNITS_MAX), "in_tokens": (0, TOKENS_MAX), "out_tokens": (0, TOKENS_MAX),
    "queue_tokens": (0, QUEUE_MAX),
}
# service_tokens has no default in the library; here it has one, for short vectors.
DEFAULTS = dict.fromkeys(RANGES, 0) | {
    "service_tokens": 100, "service_us": MILLION, "workers": 1, "units": 1}


def field_at_fault(s):
    for name, (least, most) in RANGES.items():
        least = 1 if name == "queue_max_tokens" and s["surge_max_ppm"] != 0 else least
        if not least <= s[name] <= most:
            return name
    return ""


def surge_of(s):
    if s["surge_max_ppm"] == 0:
        return 0
    begins = Fraction(s["surge_from_ppm"], MILLION)
    used = Fraction(s["queue_tokens"], s["queue_max_tokens"])
    share = min(max((used - begins) / (1 - begins), 0), 1)
    return ceil(s["surge_max_ppm"] * share)


def answer(s):
    answered = {"cost_micro": 0, "eta_us": 0, "surge_ppm": 0, "error": "", "field": ""}
    if field_at_fault(s):
        return answered | {"error": "out-of-range", "field": field_at_fault(s)}
    surge = surge_of(s)
    price = s["in_tokens"] * s["in_price_micro"] + s["out_tokens"] * s["out_price_micro"]
    work = ceil(Fraction(s["units"] * price, MILLION))
    cost = max(s["floor_micro"], ceil(work * (1 + Fraction(surge, MILLION))))
    tokens = s["units"] * (s["in_tokens"] + s["out_tokens"])
    token_us = Fraction(s["service_us"], s["service_tokens"])
    eta = max(1, ceil(s["queue_tokens"] * token_us / s["workers"]) + ceil(tokens * token_us))
    field = "cost_micro" if cost > MONEY_MAX else "eta_us" if eta > DURATION_MAX else ""
    return {"cost_micro": min(cost, MONEY_MAX + 1), "eta_us": min(eta, DURATION_MAX + 1),
            "surge_ppm": surge, "error": "limit" if field else "", "field": field}


def vector(name, **changes):
    return {"name": name,
            "signals": {key: str(value) for key, value in changes.items()},
            "answer": {key: str(value) for key, value in answer(DEFAULTS | changes).items()}}


SMALL = {"in_price_micro": 250_000, "out_price_micro": 2_000_000, "service_tokens": 80,
         "workers": 4, "in_tokens": 1200, "out_tokens": 300}
SURGING = SMALL | {"queue_max_tokens": 60_000, "surge_from_ppm": 500_000, "surge_max_ppm": 400_000}
ARTICLES = {"service_tokens": 2800, "service_us": 75 * MILLION, "in_price_micro": 100_000_000,
            "out_price_micro": 100_000_000, "out_tokens": 2800}
HUGE = {"in_price_micro": PRICE_MAX, "out_price_micro": PRICE_MAX, "service_tokens": 1,
        "service_us": DURATION_MAX, "floor_micro": MONEY_MAX, "queue_max_tokens": 1,
        "surge_from_ppm": MILLION - 1, "surge_max_ppm": SURGE_MAX, "units": UNITS_MAX,
        "in_tokens": TOKENS_MAX, "out_tokens": TOKENS_MAX, "queue_tokens": QUEUE_MAX}


def chosen():
    yield vector("a task without tokens costs nothing and takes a microsecond")
    yield vector("forty articles at a tier of one price", **ARTICLES, units=40)
    yield vector("forty articles behind a job of five minutes", **ARTICLES, units=40,
                 queue_tokens=11_200)
    yield vector("reading and writing have two prices", **SMALL)
    yield vector("a million tokens cost their price", in_price_micro=7, in_tokens=MILLION)
    yield vector("a part of a micro-credit is rounded up", in_price_micro=1, in_tokens=1)
    yield vector("two parts are added before they are rounded", in_price_micro=1,
                 out_price_micro=1, in_tokens=500_000, out_tokens=500_000)
    yield vector("units are multiplied before they are rounded", in_price_micro=1, in_tokens=1,
                 units=MILLION)
    yield vector("one unit more is rounded up", in_price_micro=1, in_tokens=1, units=MILLION + 1)
    yield vector("the floor is the least cost", **SMALL, floor_micro=5000)
    yield vector("the floor does not add to a cost above it", **SMALL, floor_micro=899)
    yield vector("the floor is not surged", **SURGING | {"in_price_micro": 0, "out_price_micro": 0},
                 floor_micro=5000, queue_tokens=60_000)
    yield vector("a queue delays and without a surge costs nothing", **SMALL, queue_tokens=60_000)
    yield vector("a wait is rounded up by itself", service_tokens=3, in_tokens=1, queue_tokens=1)
    yield vector("workers share the queue, one does the task", service_tokens=1, workers=3,
                 in_tokens=2, queue_tokens=10)
    yield vector("a surge begins above its threshold", **SURGING, queue_tokens=30_000)
    yield vector("the first token above the threshold", **SURGING, queue_tokens=30_001)
    yield vector("half way to a full queue", **SURGING, queue_tokens=45_000)
    yield vector("one token before a full queue", **SURGING, queue_tokens=59_999)
    yield vector("a full queue", **SURGING, queue_tokens=60_000)
    yield vector("beyond a full queue the surge is capped", **SURGING, queue_tokens=QUEUE_MAX)
    yield vector("a surge from the first token", **SURGING | {"surge_from_ppm": 0}, queue_tokens=1)
    yield vector("a threshold of one part below full", **SURGING | {"surge_from_ppm": 999_999},
                 queue_tokens=60_000)
    yield vector("a surge of one part in a million", **SURGING | {"surge_max_ppm": 1},
                 queue_tokens=30_001)
    yield vector("a thousandfold surge", **SURGING | {"surge_max_ppm": SURGE_MAX},
                 queue_tokens=60_000)
    yield vector("what a surge would use is free where there is none", surge_from_ppm=999_999,
                 queue_max_tokens=0, queue_tokens=5)
    yield from limits()


def limits():
    most = {"in_price_micro": PRICE_MAX, "in_tokens": MILLION}
    yield vector("the dearest bid there is", **most, units=1000)
    yield vector("one micro-credit more", **most, units=1000, out_price_micro=1, out_tokens=1)
    yield vector("a surge goes beyond", **most, units=1000, queue_max_tokens=1, surge_max_ppm=1,
                 queue_tokens=1)
    yield vector("the dearest floor", floor_micro=MONEY_MAX)
    last = {"service_tokens": 1, "service_us": 3660 * 86400}
    yield vector("the longest eta there is", **last, in_tokens=MILLION)
    yield vector("one token more", **last, in_tokens=MILLION + 1)
    yield vector("a queue goes beyond", **last, queue_tokens=MILLION + 1)
    yield vector("cost and eta are beyond: the cost is named", **HUGE)
    yield vector("the eta is beyond, the cost is a floor",
                 **HUGE | {"in_price_micro": 0, "out_price_micro": 0})
    yield vector("every signal at its most, where that can be bid",
                 **HUGE | {"in_price_micro": 0, "out_price_micro": 0, "workers": SLOTS_MAX,
                           "service_tokens": TOKENS_MAX, "service_us": 1,
                           "queue_max_tokens": QUEUE_MAX})


def faults():
    for name, (least, most) in RANGES.items():
        yield vector(f"{name} is below its range", **{name: least - 1})
        yield vector(f"{name} is above its range", **{name: most + 1})
        yield vector(f"{name} is the least of 64 bits", **{name: -2**63})
        yield vector(f"{name} is the most of 64 bits", **{name: 2**63 - 1})
    yield vector("a surge needs a full queue", surge_max_ppm=1)
    yield vector("the first of two faults is named", workers=0, queue_tokens=-1)


def drawn(count):
    """Any signals within their ranges, of all magnitudes."""
    draw = random.Random("tender/cost-model")
    for number in range(count):
        signals = {}
        for name, (least, most) in RANGES.items():
            top = draw.choice([10, 10**3, 10**6, most])
            signals[name] = draw.randint(least, max(least, min(most, top)))
        signals["queue_max_tokens"] = max(1, signals["queue_max_tokens"])
        yield vector(f"drawn {number + 1}", **signals)


def integer(text):
    base, _, power = text.replace(",", "").partition("^")
    return int(base) ** int(power or 1)


def documented():
    """What PROTOCOL.md's table states, in its order: (name, (least, most), default)."""
    row = re.compile(r"^\| `(\w+)` = \*[a-zK′]+\* \| (\d+) to ([\d,^]+)[^|]*\| ([\d^]+|none) \|",
                     re.M)
    return [(name, (integer(least), integer(most)), 100 if default == "none" else integer(default))
            for name, least, most, default in row.findall(PROTOCOL.read_text())]


def check(text):
    if documented() != [(name, RANGES[name], DEFAULTS[name]) for name in RANGES]:
        sys.exit(f"{PROTOCOL.name} states other signals")
    if FILE.read_text() != text:
        sys.exit(f"{FILE.name} is not what this script writes")


def main():
    vectors = [*chosen(), *faults(), *drawn(150)]
    lines = ",\n  ".join(json.dumps(v) for v in vectors)
    text = (f'{{\n "about": {json.dumps(ABOUT)},\n'
            f' "defaults": {json.dumps({k: str(v) for k, v in DEFAULTS.items()})},\n'
            f' "vectors": [\n  {lines}\n ]\n}}\n')
    if sys.argv[1:] == ["--check"]:
        check(text)
    else:
        FILE.write_text(text)


main()
