"""PostgreSQL stops, dies, or loses connections; the answer to a commit never comes."""
from plugs import Plug
from proxy import Proxy
from waiting import now_us, wait


class StopFast(Plug):
    name = 'pg-fast'
    does = 'PostgreSQL stopped fast and started (T5; L4)'
    short, full, plan = 3, 20, 100
    mode = 'fast'

    def pull(self, scene, chance):
        since_us = now_us()
        scene.pg_ctl('stop', '-m', self.mode)
        scene.start_database()
        return scene.await_serving(since_us)


class StopImmediate(StopFast):
    name = 'pg-immediate'
    does = 'PostgreSQL stopped immediately and started (T5; L4)'
    mode = 'immediate'


class KillDatabase(Plug):
    """The postmaster and its backends in turn: one that is killed makes all others start anew."""

    name = 'pg-kill'
    does = 'kill -9 of the postmaster or of the broker’s backend (T5; L4)'
    short, full, plan = 4, 12, 50

    def __init__(self):
        super().__init__()
        self.turn = 0

    def pull(self, scene, chance):
        self.turn += 1
        since_us = now_us()
        if self.turn % 2 == 0:
            pids = scene.sql(
                "select backend_pid from tender_ledger.reign where backend_pid is not null",
                must=False,
            ).split()
            for pid in pids:
                scene.kill_process(int(pid))
        else:
            scene.kill_process(scene.postmaster())
            scene.start_database()
        return scene.await_serving(since_us)


class TerminateBackends(Plug):
    name = 'pg-terminate'
    does = 'the broker’s backends terminated (T5)'
    short, full, plan = 20, 200, 1000

    def pull(self, scene, chance):
        since_us = now_us()
        scene.terminate_backends()
        return scene.await_serving(since_us)


class SwallowCommit(Plug):
    name = 'proxy'
    does = 'the answer to a commit swallowed, the connection cut (T6)'
    short, full, plan = 20, 100, 500

    def set_up(self, scene):
        """The broker's way to the database leads through the proxy."""
        self.proxy = Proxy(*scene.broker.divert(scene.directory / 'proxy'))

    def pull(self, scene, chance):
        swallowed = self.proxy.swallowed
        since_us = now_us()
        self.proxy.swallow()
        wait(lambda: self.proxy.swallowed > swallowed, 'commit to be swallowed')
        return scene.await_serving(max(since_us, self.proxy.swallowed_us))


PLUGS = [StopFast, StopImmediate, KillDatabase, TerminateBackends, SwallowCommit]
