"""Three brokers share a ledger by its shards. One after another dies, is missed until the others
have taken over what it had, and comes back.
"""
import time

from plugs import Plug
from waiting import now_us, wait

EVERY = 20.0  # seconds from one pull to the next, in runs longer than the short one
AWAY = 5.0  # seconds that it stays away at most


class KillOneOfThree(Plug):
    name = 'shards'
    does = 'kill -9 of one of three brokers that share 6 shards'
    brokers = ('one', 'two', 'three')
    broker_options = ('--lease', '5s')
    short, full, plan = 2, 30, 30

    def __init__(self):
        super().__init__()
        self.turn, self.last_s = 0, time.monotonic()

    def set_up(self, scene):
        scene.shards = 6

    def before(self, scene, chance):
        """Brokers that come change the shares, too: all are to be served first."""
        scene.await_serving_all(now_us())
        super().before(scene, chance)
        if self.turn >= self.short:
            time.sleep(max(0, self.last_s + EVERY - time.monotonic()))
        self.turn, self.last_s = self.turn + 1, time.monotonic()

    def pull(self, scene, chance):
        """Served again when every client is: somebody has each of the shards by then."""
        broker = chance.choice(scene.brokers)
        since_us = now_us()
        broker.is_held = True
        broker.kill()
        served = scene.await_serving_all(since_us)
        time.sleep(chance.uniform(0, AWAY))
        broker.is_held = False
        wait(lambda: broker.is_up, 'broker that is back')
        return served


PLUGS = [KillOneOfThree]
