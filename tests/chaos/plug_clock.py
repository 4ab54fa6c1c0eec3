"""Clocks are stepped under the programs: that of PostgreSQL, or that of the broker (libfaketime;
the machine's own is never set). Nothing ends early, and nothing is kept up.
"""
import clock
from plugs import Plug
from waiting import now_us, wait

HOUR = 3600
STEPS = (HOUR, -HOUR, 300, -300, 25 * 24 * HOUR, -25 * 24 * HOUR)


class StepClock(Plug):
    """A step from the real time, then a little one; every third time the broker dies behind it."""

    short, full, plan = 4, 30, 100
    needs_clock = True
    whose = ''

    def __init__(self):
        super().__init__()
        self.turn = 0

    def prepare(self, directory):
        self.clock = clock.Clock(directory / 'clock')

    def pull(self, scene, chance):
        self.turn += 1
        since_us = now_us()
        self.clock.step(chance.uniform(-2, 2) if self.turn % 2 == 0 else chance.choice(STEPS))
        if self.turn % 3 == 0:
            self.kill(scene)
        return scene.await_serving(since_us)

    def kill(self, scene):
        scene.broker.kill()

    def end(self, scene):
        alarm = f'event=clock-skew whose={self.whose}'
        wait(lambda: any(broker.says(alarm) for broker in scene.brokers), 'alarm')


class StepDatabase(StepClock):
    name = 'clock-database'
    does = 'clock of PostgreSQL stepped by seconds, minutes, an hour, 25 days; one stands by (T9)'
    whose = 'database'
    brokers = ('one', 'two')

    def set_up(self, scene):
        clock.restart_database(self.clock)

    def kill(self, scene):
        """A lease that was given before the step does not keep who stands by from taking over."""
        reigns, _ = scene.holder()
        reigns.is_held = True
        reigns.kill()
        scene.await_serving(now_us())
        reigns.is_held = False


class StepBroker(StepClock):
    name = 'clock-broker'
    does = 'clock of the broker stepped by seconds, minutes, an hour, 25 days (T9)'
    whose = 'broker'

    def set_up(self, scene):
        scene.broker.environment = self.clock.environment


PLUGS = [StepDatabase, StepBroker]
