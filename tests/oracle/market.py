"""Draws and counted resources, written from the rules and sharing nothing with the core.

A market is what the walk of a run has made so far: who is there with which names and slots, what is
counted, which commitments go on, and how each principal has kept its promises.
"""

import functools
import hashlib
from typing import NamedTuple

NEWCOMER = 5  # ended commitments, below which a principal is one
AGENTS_LOOKED = 16


class Agent(NamedTuple):
    name: str
    principal: str
    slots: int
    names: frozenset


class Task(NamedTuple):
    principal: str
    invite_max: int
    share: int
    names: tuple  # its skill first


def digest(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


@functools.cache
def place(name):
    return digest(name.encode())[:8], name.encode()


def by_hash(names):
    """In the order of the hashes of the names."""
    return sorted(names, key=place)


class Market:
    def __init__(self):
        self.agents = {}
        self.counts = {}  # (name, contractor or '') -> how many
        self.tasks = {}
        self.active = {}  # (task, generation) -> owner
        self.ended = {}  # principal -> [ended, kept]
        self.parents = {}  # principal -> the one that it is enrolled below
        self.owners = {}  # agent -> principal, also of those that are gone

    def root(self, principal):
        return self.root(self.parents[principal]) if principal in self.parents else principal

    # counted resources

    def takes(self, task, owner):
        """The counts that a commitment takes one of."""
        return [key for key in self.counts
                if key[0] in self.tasks[task].names and key[1] in ("", owner)]

    def held(self, key):
        return sum(key in self.takes(task, owner) for (task, _), owner in self.active.items())

    def lacks(self, task, contractor):
        return any(self.held(key) >= self.counts[key] for key in self.takes(task, contractor))

    def refuses_count(self, name, contractor, count):
        """Whether setting it is refused: more is held, or somebody works with it uncounted."""
        key = (name, contractor)
        if count == self.counts.get(key, 0):
            return False
        if key in self.counts:
            return count < self.held(key)
        return any(name in self.tasks[task].names and contractor in ("", owner)
                   for (task, _), owner in self.active.items())

    def is_overdrawn(self):
        return [key for key in self.counts if self.held(key) > self.counts[key]]

    # draws

    def holding(self, agent):
        return sum(owner == agent for owner in self.active.values())

    def may_work(self, agent, task):
        return (set(task.names) <= agent.names
                and self.root(agent.principal) != self.root(task.principal)
                and self.holding(agent.name) < agent.slots)

    def record(self, root):
        """What all that have that root ended, and kept."""
        records = [record for owner, record in self.ended.items() if self.root(owner) == root]
        return [sum(column) for column in zip([0, 0], *records)]

    def is_better(self, right, left):
        """Whether right kept more of what it promised than left, one of each added to both."""
        ended, kept = self.record(right)
        other_ended, other_kept = self.record(left)
        return (kept + 1) * (other_ended + 2) > (other_kept + 1) * (ended + 2)

    def draw(self, identifier, number, head):
        """The contractors that a round draws, in the order in which they were looked at; None where
        no more roots than it invites have what it needs: then all are invited."""
        task = self.tasks[identifier]
        crowds = {name: {} for name in task.names}
        for agent in self.agents.values():
            for name in set(task.names) & agent.names:
                crowds[name].setdefault(self.root(agent.principal), []).append(agent.name)
        rarest = min(task.names, key=lambda name: len(crowds[name]))  # the first of equals
        crowd = crowds[rarest]
        if task.invite_max == 0 or len(crowd) <= task.invite_max:
            return None
        return Draw(self, task, crowd, identifier, number, head).drawn()


class Draw:
    def __init__(self, market, task, crowd, identifier, number, head):
        self.market, self.task, self.crowd = market, task, crowd
        self.base = (b"tender/invite/v1" + bytes.fromhex(identifier) + number.to_bytes(4, "big")
                     + head)
        self.principals = by_hash(crowd)
        self.looked, self.candidates, self.taken = set(), [], set()
        self.newcomers = -(-task.invite_max * task.share // 10**6)
        self.known = task.invite_max - self.newcomers
        self.pending = None

    def roll(self, what):
        rolled = digest(self.base, what)
        return int.from_bytes(rolled[:8], "big"), int.from_bytes(rolled[8:16], "big")

    def agent(self, principal, rolled):
        """The one that holds the least, of some from a rolled place on, or None."""
        names = by_hash(self.crowd[principal])
        looked = [names[(rolled + i) % len(names)] for i in range(min(len(names), AGENTS_LOOKED))]
        free = [name for name in looked
                if self.market.may_work(self.market.agents[name], self.task)]
        return min(free, key=self.market.holding) if free else None

    def look(self, principal, rolled):
        self.looked.add(principal)
        name = self.agent(principal, rolled)
        if name is None:
            return
        self.candidates.append(name)
        if self.market.record(principal)[0] < NEWCOMER:
            if self.newcomers > 0:
                self.newcomers -= 1
                self.taken.add(name)
        elif self.known > 0 and self.pending is None:
            self.pending = (principal, name)
        elif self.known > 0:
            is_second = self.market.is_better(principal, self.pending[0])
            self.taken.add(name if is_second else self.pending[1])
            self.known -= 1
            self.pending = None

    def places(self):
        return self.task.invite_max - len(self.taken)

    def drawn(self):
        for i in range(8 * self.task.invite_max + 64):
            if self.places() == 0 or len(self.looked) == len(self.principals):
                break
            first, second = self.roll(i.to_bytes(4, "big"))
            principal = self.principals[first % len(self.principals)]
            if principal not in self.looked:
                self.look(principal, second)
        for name in self.candidates:
            if self.places() > 0:
                self.taken.add(name)
        rest = []
        for principal in set(self.principals) - self.looked:
            key, rolled = self.roll(principal.encode())
            name = self.agent(principal, rolled)
            if name is not None:
                rest.append((key, name))
        chosen = sorted(rest)[:self.places()]
        order = self.candidates + [name for _, name in chosen]
        self.taken |= {name for _, name in chosen}
        return [name for name in order if name in self.taken]
