"""The plugs: each is a class with a name, how often it is pulled, and what a pull is.

pull(scene, chance) pulls once and returns the seconds until a task announced after it was agreed.
"""
import scene as scenes

LOAD = dict(contractors=200, skills=50, clients=6, rate=500, open_max=1500)


class Plug:
    """What all share. `short`, `full`: pulls in a run of that kind; `plan`: in the test plan."""

    name = ''
    does = ''
    load = LOAD
    broker_options = ()
    short = full = plan = 0

    def before(self, scene, chance):
        """Between the pulls: work for a while, so that the next one meets any state."""
        scenes.time.sleep(chance.uniform(0.05, 0.6))

    def start(self, scene):
        pass

    def end(self, scene):
        pass


class KillBroker(Plug):
    name = 'kill'
    does = 'kill -9 of the broker at random (T4; L3, W4)'
    short, full, plan = 15, 400, 1000

    def pull(self, scene, chance):
        since_us = scenes.now_us()
        scene.kill_broker()
        return scene.await_serving(since_us)


PLUGS = [KillBroker]
