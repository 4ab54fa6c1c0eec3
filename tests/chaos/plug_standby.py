"""Another broker stands by: the one that reigns dies or ends and stays away until its successor
serves, or is frozen, and wakes after another has taken over.
"""
import signal

from plugs import LOAD, Plug
from waiting import now_us, wait

LEASE = 2  # seconds


class TakeOver(Plug):
    name = 'standby'
    does = 'kill -9, end or SIGSTOP of the broker that reigns; the other takes over (I17)'
    brokers = ('one', 'two')
    broker_options = ('--lease', f'{LEASE}s')
    short, full, plan = 3, 30, 0

    def __init__(self):
        super().__init__()
        self.turn = 0

    def pull(self, scene, chance):
        reigns, other = scene.holder()
        wait(lambda: other.is_ready, 'broker that stands by')
        self.turn += 1
        if self.turn % 3 == 0:
            return self.freeze(scene, reigns)
        number = signal.SIGKILL if self.turn % 3 == 1 else signal.SIGTERM
        return self.end_process(scene, reigns, number)

    def end_process(self, scene, reigns, number):
        since_us = now_us()
        reigns.is_held = True
        reigns.signal(number)
        served = scene.await_serving(since_us)
        reigns.is_held = False
        return served

    def freeze(self, scene, reigns):
        """Its successor serves; then it wakes, is refused by the database, and stands by."""
        refused = reigns.says('event=reign-lost')
        since_us = now_us()
        reigns.signal(signal.SIGSTOP)
        served = scene.await_serving(since_us)
        reigns.signal(signal.SIGCONT)
        wait(lambda: reigns.says('event=reign-lost') > refused, 'refusal of one that wakes')
        return served


class TakeOverWithACrowd(TakeOver):
    name = 'crowd-standby'
    does = 'kill -9 or end of the broker that reigns, with 100,000 open tasks; the other takes over'
    load = {**LOAD, 'asleep': 100_000, 'rate': 100}
    broker_options = (*TakeOver.broker_options, '--tasks', '400000')
    short, full, plan = 0, 3, 0

    def start(self, scene, chance):
        scene.await_agreed(self.load['asleep'])


PLUGS = [TakeOver, TakeOverWithACrowd]
