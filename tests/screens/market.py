"""Simulated markets of one skill: what honest bidders and five kinds of colluders answer to a row
of tenders.

A tender has a size that everybody sees and a shock that all costs share; a bidder has a tier,
which is its usual cost per size, and noise of its own; some post a price instead, and keep to
it. Who is busy refuses, and so does whoever costs more than the ceiling. The winner is the
lowest bid and is paid the second, as in the broker. What the screens make of it is not known
here.
"""

import math
import random

HONEST = 'honest'
KINDS = ('pair', 'ring', 'rotation', 'shill', 'standing-back')


class Bidder:
    def __init__(self, rng, name, spread):
        self.name = name
        self.tier = math.exp(rng.gauss(0, spread))
        self.noise = rng.uniform(0.08, 0.3)
        self.keenness = rng.uniform(0.7, 1.0)  # the share of tenders that it has time for
        self.has_list = rng.random() < 0.2  # posts a price: its cost is its tier and nothing else
        self.busy = 0


class Market:
    """A row of tenders. `draw()` gives the next: (ceiling, units, answers, winner, setter), answers
    being pairs of a name and a bid, None where it refused; amounts in micro-credits."""

    def __init__(self, seed, kind):
        rng = self.rng = random.Random(seed)
        self.kind = kind
        count = rng.randint(3, 8)
        spread = rng.uniform(0.05, 0.5)
        self.bidders = [Bidder(rng, 'c%d' % i, spread) for i in range(count)]
        self.room = rng.uniform(1.2, 3.0)  # ceiling over the middle tier's cost
        self.shock = rng.uniform(0.0, 0.3)
        self.work = rng.randint(0, 3)  # tenders for which a winner has less time
        self.turn = 0
        self.ring = self.members(count)
        for bidder in self.ring:
            bidder.has_list = False
        if kind == 'shill':
            self.ring[0].keenness = 1.0

    def members(self, count):
        if self.kind == HONEST:
            return []
        size = {'pair': 2, 'shill': 2, 'rotation': self.rng.randint(3, 4),
                'ring': self.rng.randint(3, count), 'standing-back': count}[self.kind]
        # Who is never near winning gains nothing from a pact: colluders are the cheaper ones.
        ranked = sorted(self.bidders, key=lambda bidder: bidder.tier)
        return ranked[:min(size, count)]

    def draw(self):
        rng = self.rng
        size = math.exp(rng.gauss(1, 0.7))
        middle = sorted(bidder.tier for bidder in self.bidders)[len(self.bidders) // 2]
        ceiling = size * middle * self.room * math.exp(rng.gauss(0, 0.05))
        common = size * math.exp(rng.gauss(0, self.shock))
        costs = {}
        for bidder in self.bidders:
            cost = common * bidder.tier * math.exp(rng.gauss(0, bidder.noise))
            if bidder.has_list:
                cost = size * bidder.tier
            has_time = rng.random() < bidder.keenness * (0.5 if bidder.busy > 0 else 1)
            costs[bidder.name] = cost if has_time and cost <= ceiling else None
        units = round(size * 1e6)
        return round(ceiling * 1e6), units, *self.settle(self.collude(ceiling, costs))

    def collude(self, ceiling, costs):
        able = [bidder for bidder in self.ring if costs[bidder.name] is not None]
        if self.kind == HONEST or not able:
            return costs
        bids = dict(costs)
        if self.kind == 'shill':
            return self.shadow(ceiling, costs, bids)
        if self.kind == 'rotation':
            chosen = self.ring[self.turn % len(self.ring)]
            if costs[chosen.name] is None:
                chosen = min(able, key=lambda bidder: costs[bidder.name])
            self.turn += 1
        else:
            chosen = min(able, key=lambda bidder: costs[bidder.name])
        for bidder in self.ring:
            if bidder is not chosen:
                cover = ceiling * self.rng.uniform(0.9, 1)
                bids[bidder.name] = None if self.kind == 'standing-back' else cover
        return bids

    def shadow(self, ceiling, costs, bids):
        """The client's friend bids a little above the victim, whose costs it knows."""
        victim, shill = self.ring
        cost = costs[victim.name]
        bid = None if cost is None else cost * self.rng.uniform(1.02, 1.1)
        bids[shill.name] = bid if bid is not None and bid <= ceiling else None
        return bids

    def settle(self, bids):
        micro = {name: None if bid is None else max(1, round(bid * 1e6))
                 for name, bid in bids.items()}
        ranked = sorted((bid, name) for name, bid in micro.items() if bid is not None)
        for bidder in self.bidders:
            bidder.busy = max(0, bidder.busy - 1)
        if not ranked:
            return [], None, None
        winner = ranked[0][1]
        next(bidder for bidder in self.bidders if bidder.name == winner).busy = self.work
        answers = [(name, micro[name]) for name in sorted(micro)]
        return answers, winner, ranked[1][1] if len(ranked) > 1 else None
