"""What a plug is, and the list of them.

pull(scene, chance) pulls once and returns the seconds until a task was agreed that was announced
after the pull, or None where that says nothing.
"""
import time

LOAD = dict(contractors=200, skills=50, clients=6, rate=500, open_max=1500, due=4000, window=400)


class Plug:
    """What all share. `short`, `full`: pulls in such a run; `plan`: those of the test plan."""

    name = ''
    does = ''
    load = LOAD
    broker_options = ()
    brokers = ('tender',)  # their names; the first reigns at the beginning
    short = full = plan = 0
    beside = 0  # contractors in processes of their own
    needs_mounts = False
    needs_clock = False  # libfaketime
    disk = 0  # MiB of a small filesystem that the cluster is put on; 0: it is not

    def __init__(self):
        self.losses = []  # when the database began to have what its standby has not

    def prepare(self, directory):
        """Before there is a scene, whose database is TENDER_DATABASE."""

    def set_up(self, scene):
        """Before anything of it has started."""

    def leave(self):
        """After everything, also where that failed."""

    def before(self, scene, chance):
        """Between the pulls: work for a while, so that the next one meets any state."""
        time.sleep(chance.uniform(0.05, 0.5))

    def start(self, scene, chance):
        pass

    def end(self, scene):
        pass


def all_plugs():
    import plug_broker, plug_database, plug_disk, plug_failover, plug_partition, plug_peers
    import plug_clock, plug_shards, plug_standby

    modules = (plug_broker, plug_standby, plug_shards, plug_database, plug_failover, plug_partition,
               plug_clock, plug_peers, plug_disk)  # fmt: skip
    return [kind for module in modules for kind in module.PLUGS]
