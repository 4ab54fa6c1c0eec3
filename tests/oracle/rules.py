"""The second price and split awards, written from the rules and sharing nothing with the core.

Slow and obvious on purpose. Parts are chosen by trying everything: every set of bidders and, where
the numbers are small enough, every number of units of each.
"""

import hashlib
import itertools
from typing import NamedTuple


class Terms(NamedTuple):
    ceiling: int
    due: int
    binds_until: int
    round: int
    task: bytes
    head: bytes


class Bid(NamedTuple):
    name: str
    principal: int
    cost: int
    eta: int
    valid_until: int
    capacity: int


def reason_against(terms, bid):
    if bid.cost < 0:
        return "cost-negative"
    if bid.cost > terms.ceiling:
        return "above-ceiling"
    if bid.eta <= 0:
        return "eta-not-positive"
    if bid.eta > terms.due:
        return "eta-beyond-due"
    if bid.valid_until != 0 and bid.valid_until < terms.binds_until:
        return "validity-too-short"
    return None


def draw(terms, name):
    label = b"tender/rank/v1"
    number = terms.round.to_bytes(4, "big")
    return hashlib.sha256(label + terms.task + number + terms.head + name.encode()).digest()


def rank(terms, bids):
    """The bids that count, best first: of each principal's eligible ones the best."""
    eligible = [bid for bid in bids if reason_against(terms, bid) is None]
    eligible.sort(key=lambda bid: (bid.cost, bid.eta, draw(terms, bid.name)))
    counting = []
    for bid in eligible:
        if all(bid.principal != other.principal for other in counting):
            counting.append(bid)
    return counting


def fates(terms, bids):
    """Of each bid its rank, or 0, and its reason."""
    counting = rank(terms, bids)
    for bid in bids:
        against = reason_against(terms, bid)
        if against is not None:
            yield 0, against
        elif bid not in counting:
            yield 0, "same-principal"
        else:
            place = counting.index(bid) + 1
            yield place, "lowest-cost" if place == 1 else "outbid"


def second_price(terms, bids, place):
    """What the bid of this rank is paid when all before it had never bid, and the rank that sets
    it: the lowest eligible cost of another principal, else the ceiling (rank 0)."""
    counting = rank(terms, bids)
    gone = {bid.principal for bid in counting[:place]}
    rivals = [bid.cost for bid in bids
              if reason_against(terms, bid) is None and bid.principal not in gone]
    return (min(rivals), place + 1) if rivals else (terms.ceiling, 0)


class Split:
    """One round of divisible work: `sellers` is [(unit cost, capacity)] in the order of ranks."""

    EXHAUSTIVE_MAX = 400  # divisions tried one by one; beyond, sets of bidders

    def __init__(self, sellers, units, ceiling, parts_max):
        self.sellers = sellers
        self.units = units
        self.virtual = ceiling // units
        self.parts_max = parts_max
        # The order of choice, which breaks ties.
        self.order = sorted(range(len(sellers)), key=lambda i: (
            sellers[i][0], -min(sellers[i][1], units), i))
        divisions = 1
        for _, capacity in sellers:
            divisions *= min(capacity, units) + 1
        self.is_exhaustive = divisions <= self.EXHAUSTIVE_MAX
        every = self.every_division() if self.is_exhaustive else self.every_set()
        # The least wins: cost, units left, then units of each in the order of choice. That nothing
        # else has fewer parts follows from the order, and is tried by putting parts before it.
        self.choices = [(self.cost(division), units - sum(division),
                         sum(own > 0 for own in division),
                         tuple(-division[i] for i in self.order), division)
                        for division in every]
        self.best = min(self.choices)

    def every_division(self):
        ranges = [range(min(capacity, self.units) + 1) for _, capacity in self.sellers]
        for division in itertools.product(*ranges):
            if sum(division) <= self.units and sum(map(bool, division)) <= self.parts_max:
                yield division

    def every_set(self):
        """Every set of bidders that may share, the cheaper filled up first."""
        for size in range(min(self.parts_max, len(self.sellers)) + 1):
            for chosen in itertools.combinations(self.order, size):
                left = self.units
                division = [0] * len(self.sellers)
                for i in chosen:
                    division[i] = min(self.sellers[i][1], left)
                    left -= division[i]
                yield tuple(division)

    def cost(self, division):
        own = sum(cost * units for (cost, _), units in zip(self.sellers, division))
        return own + self.virtual * (self.units - sum(division))

    def division(self):
        return self.best[4]

    def price(self, i):
        """Clarke's pivot: what all would cost without i, less what the others' units cost now."""
        without = min(choice[0] for choice in self.choices if choice[4][i] == 0)
        return without - (self.best[0] - self.sellers[i][0] * self.division()[i])

    def pay(self, i, delivered):
        """For fewer units the lesser of pro rata and the price with the capacity delivered."""
        units = self.division()[i]
        price = self.price(i)
        if delivered == units:
            return price
        sellers = list(self.sellers)
        sellers[i] = (sellers[i][0], delivered)
        again = Split(sellers, self.units, self.virtual * self.units, self.parts_max)
        priced_again = again.price(i) if again.division()[i] > 0 else 0
        return min(price * delivered // units, priced_again)
