"""Nothing passes for a while, in one direction or in both: between the broker that reigns and
PostgreSQL, while another one stands by, or between the broker and its peers.
"""
import threading

from plugs import LOAD, Plug
from waiting import now_us, wait
from wall import Wall

LONG = 4  # every so many pulls it lasts longer than a lease and a session


class Partition(Plug):
    short, full, plan = 4, 16, 200
    longest = 3.0  # seconds of most

    def __init__(self):
        super().__init__()
        self.walls = {}
        self.turn = 0

    def leave(self):
        for wall in self.walls.values():
            wall.close()

    def part(self, wall, chance):
        """Shuts it, and has it opened after a while by what is returned."""
        self.turn += 1
        wall.say(('both', 'in', 'out')[self.turn % 3])
        lasts = 4 * self.longest if self.turn % LONG == 0 else chance.uniform(0.3, self.longest)
        opening = threading.Timer(lasts, wall.say, ['open'])
        opening.start()
        return opening


class PartFromDatabase(Partition):
    name = 'part-database'
    does = 'broker parted from PostgreSQL for 0.3 to 12 s, also one-way; one stands by (T8)'
    brokers = ('one', 'two')

    def set_up(self, scene):
        for broker in scene.brokers:
            directory = scene.directory / f'{broker.directory.name}-wall'
            self.walls[broker] = Wall(*broker.divert(directory))

    def pull(self, scene, chance):
        """Served again by whoever it is; then the one that was away serves or stands by."""
        reigns, _ = scene.holder()
        since_us = now_us()
        opening = self.part(self.walls[reigns], chance)
        served = scene.await_serving(since_us)
        opening.join()
        wait(lambda: all(broker.is_up for broker in scene.brokers), 'both brokers')
        return served


class PartFromPeers(Partition):
    name = 'part-peers'
    does = 'broker parted from all its peers for 0.3 to 12 s, also one-way (T8)'
    load = {**LOAD, 'rate': 200}
    broker_options = ('--session-time', '2s')

    def set_up(self, scene):
        listen = scene.directory / 'wall.ipc'
        self.walls['peers'] = Wall(listen, scene.broker.directory / 'broker.ipc')
        scene.url = f'ipc://{listen}'

    def pull(self, scene, chance):
        """Served again from when the way is open."""
        self.part(self.walls['peers'], chance).join()
        return scene.await_serving(now_us())


PLUGS = [PartFromDatabase, PartFromPeers]
