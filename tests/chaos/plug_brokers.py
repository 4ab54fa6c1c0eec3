"""Several brokers at one ledger: the one that reigns is killed, and another takes over."""
import threading, time

from plugs import Plug
from scene import LIMIT, Violation, now_us, wait


class Rival:
    """A broker beside the first, started again when it has ended."""

    def __init__(self, scene, number):
        self.scene, self.number = scene, number
        self.name = f'chaos-{number}'
        self.is_tended = True
        self.process = scene.spawn_broker(number, {})
        threading.Thread(target=self._tend, daemon=True).start()

    def _tend(self):
        while self.is_tended:
            code = self.process.poll()
            if code is not None and self.is_tended:
                if code not in self.scene.exits:
                    return
                time.sleep(0.05)
                self.process = self.scene.spawn_broker(self.number, {})
            time.sleep(0.01)

    def end(self):
        self.is_tended = False
        time.sleep(0.1)
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(LIMIT)
        if code not in self.scene.exits:
            raise Violation(f'{self.name} ended with {code}')


class KillReigning(Plug):
    name = 'brokers'
    does = 'kill -9 of the reigning one of three brokers, whose lease is 1 s (T4)'
    brokers = 3
    broker_options = ('--lease', '1s')
    short, full, plan = 4, 40, 0

    def __init__(self):
        self.rivals = []

    def start(self, scene, chance):
        self.rivals = [Rival(scene, number) for number in (1, 2)]

    def before(self, scene, chance):
        time.sleep(chance.uniform(0.5, 2))

    def pull(self, scene, chance):
        holder = wait(
            lambda: scene.sql('select broker from tender_ledger.reign', must=False).strip(),
            'broker that reigns',
        )
        since_us = now_us()
        if holder == 'chaos-0':
            scene.kill_broker()
        else:
            (rival,) = [rival for rival in self.rivals if rival.name == holder]
            rival.process.kill()
        return scene.await_serving(since_us)

    def end(self, scene):
        for rival in self.rivals:
            rival.end()

    def close(self):
        """Leaves nothing running after a violation."""
        for rival in self.rivals:
            rival.is_tended = False
            if rival.process.poll() is None:
                rival.process.kill()
                rival.process.wait()


PLUGS = [KillReigning]
