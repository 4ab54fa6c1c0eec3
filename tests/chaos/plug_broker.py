"""The broker dies: at any time, at each failpoint, with a crowd of open tasks; or it is frozen."""
import itertools, pathlib, re, signal, time

from plugs import LOAD, Plug
from waiting import Violation, now_us, wait

TABLE = pathlib.Path(__file__).resolve().parents[2] / 'ledger/include/failpoint.def'
# How often a failpoint may be passed before it is the one: about half a second of load. Others: 1.
OFTEN = {
    'recall-entry': 10, 'exchange-taken': 600, 'event-decided': 1200, 'entry-appended': 1200,
    'event-appended': 1200, 'promise-held': 800, 'tell-passed': 800, 'lookup-answered': 5,
    'batch-before': 25, 'batch-sealed': 25, 'batch-half': 100, 'batch-whole': 25, 'batch-sent': 25,
    'commit-seen': 25, 'commit-told': 25, 'promise-released': 800, 'commit-released': 25,
    'heard-marked': 500, 'reply-made': 600, 'reply-left': 600,
}  # fmt: skip
POINT_LIMIT = 60.0


class KillBroker(Plug):
    name = 'kill'
    does = 'kill -9 of the broker at random (T4; L3, W4)'
    short, full, plan = 8, 100, 1000

    def pull(self, scene, chance):
        return scene.restart_broker()


class KillAtFailpoints(Plug):
    """Each life of the broker has one failpoint to die at; all are gone through in turn."""

    name = 'failpoints'
    does = 'death of the broker at 30 named failpoints in turn (T4; L3)'
    short, full, plan = 30, 60, 480

    def __init__(self):
        super().__init__()
        self.names = re.findall(r'^FAILPOINT\(\w+, "([a-z-]+)"', TABLE.read_text(), re.M)
        self.next_life = 0

    def before(self, scene, chance):
        pass

    def start(self, scene, chance):
        """From now on each life of the broker dies at the next failpoint."""
        scene.await_agreed(500)  # so that there is something to recall
        order = itertools.cycle(self.names)

        def environment():
            name = next(order)
            return {'TENDER_FAILPOINT': f'{name}:{chance.randint(1, OFTEN.get(name, 1))}'}

        self.next_life = len(scene.broker.lives)
        scene.broker.environment = environment
        scene.broker.kill()

    def provoke(self, scene, name):
        """What makes the broker come by where it does not by itself."""
        if name == 'request-read':
            scene.sql("select tender.fund('buyer-0', 1)", must=False)
        elif name in ('link-lost', 'link-back'):
            scene.terminate_backends()
        elif name == 'drained':
            scene.broker.signal(signal.SIGTERM)

    def await_death(self, scene, life, name):
        until = time.monotonic() + POINT_LIMIT
        provoked = time.monotonic() - 4
        while life.poll() is None:
            if time.monotonic() > until:
                raise Violation(f'the failpoint {name} was not reached')
            pause = 5 if name.startswith('link') else 0.5  # it must not be cut while it recalls
            if scene.broker.is_ready and time.monotonic() > provoked + pause:
                self.provoke(scene, name)
                provoked = time.monotonic()
            time.sleep(0.02)
        if life.returncode != -signal.SIGKILL:
            raise Violation(f'the broker ended with {life.returncode} instead of at {name}')

    def life(self, scene):
        wait(lambda: len(scene.broker.lives) > self.next_life, 'life of the broker')
        return scene.broker.lives[self.next_life]

    def pull(self, scene, chance):
        life, environment = self.life(scene)
        self.await_death(scene, life, environment['TENDER_FAILPOINT'].partition(':')[0])
        since_us = now_us()
        self.next_life += 1
        following, _ = self.life(scene)

        def is_settled():
            return following.poll() is not None or scene.main_load.counts['newest_us'] > since_us

        wait(is_settled, 'broker that serves, or dies before')
        if scene.main_load.counts['newest_us'] > since_us:
            return (scene.main_load.counts['agreed_us'] - since_us) / 1e6
        return None

    def end(self, scene):
        scene.broker.environment = dict
        scene.restart_broker()


class KillWithACrowd(Plug):
    name = 'crowd'
    does = 'kill -9 with 100,000 open tasks (T4)'
    load = {**LOAD, 'asleep': 100_000, 'rate': 100}
    broker_options = ('--tasks', '400000')
    short, full, plan = 0, 3, 0

    def start(self, scene, chance):
        scene.await_agreed(self.load['asleep'])

    def pull(self, scene, chance):
        return scene.restart_broker(limit=180)


class FreezeBroker(Plug):
    name = 'freeze'
    does = 'SIGSTOP of the broker for 0.2 to 4 s (T9)'
    short, full, plan = 3, 15, 100

    def pull(self, scene, chance):
        scene.broker.signal(signal.SIGSTOP)
        time.sleep(chance.uniform(0.2, 4))
        since_us = now_us()
        scene.broker.signal(signal.SIGCONT)
        return scene.await_serving(since_us)


PLUGS = [KillBroker, KillAtFailpoints, KillWithACrowd, FreezeBroker]
