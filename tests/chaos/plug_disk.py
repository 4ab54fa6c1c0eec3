"""Small filesystems run full: under the data, under the log of changes, under the broker's own log.

A file takes all that is free until nothing is agreed any more, and is deleted again. Nobody but the
service manager helps PostgreSQL: it is started where it has given up.
"""
import os, pathlib, time

from plugs import LOAD, Plug
from waiting import now_us, wait

STALL_S = 1.0  # so long without an agreement is what a full disk looks like
FULL_LIMIT = 180.0


class Ballast:
    """A file that takes the space of a filesystem."""

    def __init__(self, directory):
        self.path = pathlib.Path(directory) / 'ballast'

    def fill(self):
        with open(self.path, 'ab', buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while file.write(b'\0' * size):
                        pass
                except OSError:
                    pass

    def drop(self):
        self.path.unlink(missing_ok=True)


class FullDisk(Plug):
    load = {**LOAD, 'rate': 300}
    short, full, plan = 2, 5, 20

    def directory(self, scene):
        raise NotImplementedError

    def hasten(self, scene):
        pass

    def pull(self, scene, chance):
        ballast = Ballast(self.directory(scene))
        until = time.monotonic() + FULL_LIMIT
        seen, since = scene.main_load.counts['agreed'], time.monotonic()
        downs = scene.log_text().count('event=ledger-down')
        while time.monotonic() < since + STALL_S or scene.log_text().count(
            'event=ledger-down') == downs:  # fmt: skip
            ballast.fill()
            scene.check_alive()
            agreed = scene.main_load.counts['agreed']
            if agreed != seen:
                seen, since = agreed, time.monotonic()
            if time.monotonic() > until:
                ballast.drop()
                raise AssertionError('a full disk stops nothing')
            self.hasten(scene)
            time.sleep(0.05)
        time.sleep(chance.uniform(0.1, 2))
        since_us = now_us()
        ballast.drop()
        scene.start_database()
        return scene.await_serving(since_us)


class FullData(FullDisk):
    name = 'disk-data'
    does = 'disk full under the data (T10)'
    disk = 300
    needs_mounts = True

    def directory(self, scene):
        return pathlib.Path(os.environ['PGDATA'])

    def start(self, scene, chance):
        """The log of changes goes elsewhere, so that only data finds no room."""
        scene.move_wal(scene.directory / 'wal')


class FullWal(FullDisk):
    name = 'disk-wal'
    does = 'disk full under the write-ahead log (T10)'
    needs_mounts = True

    def directory(self, scene):
        return scene.directory / 'wal'

    def start(self, scene, chance):
        scene.mount(scene.directory / 'wal', 200)
        scene.move_wal(scene.directory / 'wal')

    def hasten(self, scene):
        """Uses up the segments that are there already."""
        scene.sql('select pg_switch_wal()', must=False)


class FullLog(Plug):
    name = 'disk-log'
    does = 'disk full under the broker’s log (T10)'
    needs_mounts = True
    load = {**LOAD, 'rate': 300}
    short, full, plan = 2, 5, 20
    broker_options = ('--log-level', 'debug')

    def set_up(self, scene):
        scene.mount(scene.directory / 'small', 1)
        scene.broker.log.close()
        scene.broker.log = open(scene.directory / 'small/broker.log', 'ab')

    def pull(self, scene, chance):
        ballast = Ballast(scene.directory / 'small')
        ballast.fill()
        since_us = now_us()
        served = scene.await_serving(since_us)
        wait(lambda: scene.main_load.counts['newest_us'] > since_us + 500_000, 'work that goes on')
        ballast.drop()
        return served


PLUGS = [FullData, FullWal, FullLog]
