"""Contractors die or are frozen: before, during and after their awards, since each process has ten
of them with dozens of bids and commitments at any time."""
import signal, time

from plugs import LOAD, Plug
from waiting import now_us

GROUPS, SIZE = 4, 10


class Groups(Plug):
    """Contractors in processes of their own, beside those of the load."""

    load = {**LOAD, 'contractors': 160}
    beside = GROUPS * SIZE

    def start(self, scene, chance):
        skills = self.load['skills']
        scene.side_loads = [
            scene.add_load(contractors=SIZE, first=160 + group * SIZE, skills=skills)
            for group in range(GROUPS)
        ]

    def choose(self, scene, chance):
        return scene.side_loads[chance.randrange(GROUPS)]


class KillContractors(Groups):
    name = 'contractors'
    does = 'kill -9 of ten contractors before, during and after award (L3)'
    short, full, plan = 8, 60, 0

    def pull(self, scene, chance):
        since_us = now_us()
        load = self.choose(scene, chance)
        load.kill()
        time.sleep(chance.uniform(0, 1))
        load.start()
        return scene.await_serving(since_us)


class FreezeContractors(Groups):
    name = 'frozen'
    does = 'SIGSTOP of ten contractors for 0.2 to 6 s before, during and after award'
    short, full, plan = 4, 20, 0

    def pull(self, scene, chance):
        since_us = now_us()
        load = self.choose(scene, chance)
        load.process.send_signal(signal.SIGSTOP)
        served = scene.await_serving(since_us)
        time.sleep(chance.uniform(0.2, 6))
        load.process.send_signal(signal.SIGCONT)
        return served


PLUGS = [KillContractors, FreezeContractors]
