"""The database fails over to its standby: a synchronous one has everything, and one that is not
lacks what came last, which its peers then have to be told.
"""
import os

import failover
from plugs import Plug
from waiting import now_us, wait


class Promote(Plug):
    name = 'promote-sync'
    does = 'synchronous standby of the database promoted (T7)'
    short, full, plan = 2, 16, 50
    is_synchronous = True

    def prepare(self, directory):
        (directory / 'pair').mkdir()
        self.pair = failover.Pair(self.is_synchronous, directory=directory / 'pair')
        os.environ['TENDER_DATABASE'] = self.pair.conninfo

    def leave(self):
        if hasattr(self, 'pair'):
            self.pair.close()

    def promote(self, chance):
        self.pair.fail_over(chance.choice(['kill', 'immediate', 'fast']))

    def pull(self, scene, chance):
        since_us = now_us()
        self.promote(chance)
        served = scene.await_serving(since_us)
        self.pair.rebuild()
        return served


class PromoteBehind(Promote):
    """The standby is cut off some time before; every second time the broker dies, too, so that only
    its peers know what there was."""

    name = 'promote-async'
    does = 'asynchronous standby of the database promoted, which lacks what came last (T7)'
    short, full, plan = 2, 8, 20
    is_synchronous = False

    def fall_behind(self, scene):
        since_us = now_us()
        lsn = self.pair.primary.sql('select pg_current_wal_lsn()')
        wait(lambda: self.pair.primary.sql(
            f"select bool_and(replay_lsn >= '{lsn}') from pg_stat_replication") == 't',
            'standby that follows')  # fmt: skip
        self.pair.cut_off()
        scene.await_serving(now_us())
        return since_us

    def pull(self, scene, chance):
        self.losses.append(self.fall_behind(scene))
        since_us = now_us()
        if len(self.losses) % 2 == 0:
            scene.broker.is_held = True
            scene.broker.kill()
        said = scene.broker.says('event=commits-lost')
        self.promote(chance)
        scene.broker.is_held = False
        served = scene.await_serving(since_us)
        self.check_said(scene, said)
        self.pair.rebuild()
        return served

    def check_said(self, scene, before):
        """In the log, in the ledger, and by `tender check`; until it is closed."""
        wait(lambda: scene.broker.says('event=commits-lost') > before, 'log of the loss')
        open_losses = 'select count(*) from tender.loss where closed_at is null'
        wait(lambda: scene.sql(open_losses, must=False).strip() not in ('', '0'), 'row of the loss')
        wait(lambda: scene.command('check').returncode == 2, 'check that is critical')
        scene.sql('select tender.close_losses()')


PLUGS = [Promote, PromoteBehind]
