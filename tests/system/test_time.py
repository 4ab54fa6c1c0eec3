#!/usr/bin/python3
"""Time (W4, T9): clocks that step, programs that freeze. Nothing ends early; what was finished
while nobody listened is in time; what is over ends soon after the grace.

The moment of an end is bounded from below without any clock of the broker's: a window is counted
from the stamp of the announcement, which is not before we sent it. TENDER_TIME=100 is the long
form: so many steps of each clock, and freezes of each program; each test prints its figures.
"""
import contextlib, itertools, os, pathlib, statistics, sys, time, unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'support'))
import clock, server
from harness import HOUR, SECOND, Contractor, SystemTest, main

STEPS = (3600, -3600, 25 * 86400, -25 * 86400, 300)
WINDOW, ETA = 2 * SECOND, 2 * SECOND
GRACE = 1  # seconds; the harness's setting
TIMES = int(os.environ.get('TENDER_TIME', 1))
_round = itertools.count(1)


class Race:
    """One task whose window runs to its end and whose commitment lapses or is fulfilled."""

    def __init__(self, test, client, winner, **terms):
        self.test, self.winner = test, winner
        self.sent = time.monotonic()
        self.key = client.say_announce(
            **{**dict(skill=winner.skill, rounds=1, window_us=WINDOW, ack_us=HOUR), **terms}
        )
        self.client, self.task = client, None

    def agreed(self):
        answers = self.client.answers(self.key)
        self.task = answers[0].conversation if answers else None
        return self.task is not None

    def award(self):
        return next((a for a in self.winner.awards if a.conversation == self.task), None)

    def watch(self):
        """Notes when award and end are first seen; true once both were."""
        if not hasattr(self, 'awarded') and self.agreed() and self.award():
            self.awarded = time.monotonic()
        if not hasattr(self, 'ended') and self.task and self.settled():
            self.ended = time.monotonic()
        return hasattr(self, 'awarded') and hasattr(self, 'ended')

    def settled(self):
        return self.winner.got('cancel', self.task) + self.winner.got('inform', self.task)

    def check_not_early(self):
        """Returns how long after its time the end was seen, in seconds."""
        self.test.assertGreaterEqual(self.awarded - self.sent, WINDOW / 1e6)
        late = self.ended - self.sent - (WINDOW + ETA) / 1e6
        self.test.assertGreaterEqual(late, 0)
        self.test.assertEqual([m.fields['reason'] for m in self.settled()], [64])
        return late


def cast(test):
    """A client, a contractor that acknowledges and does nothing, and one that never answers."""
    skill = f'{test.skill[:30]}.{next(_round)}'
    client = test.client(10_000)
    winner = test.contractor(
        'winner', skill, cost=1, eta_us=ETA, slots=100, on_award=Contractor.acknowledge
    )
    mute = test.contractor('mute', skill, on_cfp=Contractor.nothing, slots=100)
    test.ready(winner, mute)
    return client, winner


def step_round(test, stepped, steps=STEPS):
    """A task for each step of the clock, all of which run through all that follow.

    Returns how long after its time each end was seen, in seconds.
    """
    client, winner = cast(test)
    races = []
    for seconds in steps:
        races.append(Race(test, client, winner))
        test.wait(races[-1].agreed, 'the announcement is recorded')
        stepped.step(seconds)
    test.wait(lambda: all([race.watch() for race in races]), 'every commitment lapses')
    return [race.check_not_early() for race in races]


def repeat(test, count, what, play, since='it was due'):
    """Plays rounds, each with peers of its own, and prints how late what they ended came."""
    late = []
    for _ in range(count):
        late += play()
        for peer in test.peers:
            peer.close()
        test.peers.clear()
    print(
        f'{what}: {len(late)} times, none early, {statistics.median(late):.3f} s after {since}, '
        f'at worst {max(late):.3f} s',
        file=sys.stderr,
    )
    return late


def freeze_round(test, processes, seconds=3.0):
    """Commitments whose due time passes while `processes` stand still.

    One is reported on meanwhile and is fulfilled; the other lapses after the grace. Returns how
    long after the freeze it did, in seconds.
    """
    client, winner = cast(test)
    done, lost = Race(test, client, winner), Race(test, client, winner)
    test.wait(lambda: done.agreed() and lost.agreed(), 'the announcements are recorded')
    test.wait(lambda: done.award() and lost.award() and not winner._unheard, 'both are awarded')
    with clock.frozen(processes):
        winner.report('inform-done', done.award(), content=b'in time')
        until = time.monotonic() + seconds
        while time.monotonic() < until:  # the freeze is what is tested: it has a length
            test.pump()
        thawed = time.monotonic()
    test.wait(lambda: all([race.watch() for race in (done, lost)]), 'both end')
    (row,) = test.commitments(done.task)
    test.assertEqual((row['status'], row['paid'] > 0), ('fulfilled', True))
    (row,) = test.commitments(lost.task)
    test.assertEqual((row['status'], row['paid']), ('lapsed', 0))
    test.assertGreaterEqual(lost.ended - lost.sent, (WINDOW + ETA) / 1e6)
    return lost.ended - thawed


class Timed(SystemTest):
    """A database of its own for each class: what one class did to the stamp stays there."""

    @classmethod
    def setUpClass(cls):
        server.own_database(cls, f'time_{next(_round)}')
        super().setUpClass()


class Stepped(Timed):
    """The clock is in place before database or broker start."""

    starts_by = 0  # seconds from the real time
    is_database, is_broker = False, False

    @classmethod
    def setUpClass(cls):
        if clock.library() is None:
            raise unittest.SkipTest('faketime is not installed')
        cls.stepped = clock.Clock(pathlib.Path(os.environ['PGDATA']).parent / 'clock')
        cls.stepped.step(cls.starts_by)
        if cls.is_database:
            clock.restart_database(cls.stepped)
            cls.addClassCleanup(clock.restart_database)
        with cls.stepped.around() if cls.is_broker else contextlib.nullcontext():
            super().setUpClass()

    def alarms(self, whose):
        text = self.broker.log.read_text(errors='replace')
        return [l for l in text.splitlines() if 'event=clock-skew' in l and f'whose={whose}' in l]


class DatabaseClock(Stepped):
    is_database = True

    def test_T9_step_of_the_databases_clock_ends_nothing_early_and_raises_the_alarm(self):
        self.assertEqual(self.alarms('database'), [])
        rounds = -(-TIMES // len(STEPS))
        repeat(self, rounds, "the database's clock steps", lambda: step_round(self, self.stepped))
        self.wait(lambda: self.alarms('database'), 'the alarm')
        self.stepped.step(0)


class DatabaseClockOverRestart(Stepped):
    broker_options = ('--grace', '10s')  # a peer connects and proves itself before it reports
    is_database = True

    def check_work_over(self, seconds):
        """What is finished while the broker is down and the clock steps is in time."""
        client, winner = cast(self)
        race = Race(self, client, winner)
        self.wait(lambda: race.agreed() and race.award() and not winner._unheard, 'the award')
        self.broker.kill()
        winner.report('inform-done', race.award(), content=b'in time')
        self.stepped.step(seconds)
        self.broker.start()
        self.wait(race.settled, 'the settlement')
        (row,) = self.commitments(race.task)
        self.assertEqual((row['status'], row['paid'] > 0), ('fulfilled', True))

    def test_T9_W4_step_back_over_a_restart_keeps_time_and_work_finished_meanwhile(self):
        self.check_work_over(-3600)
        self.stepped.step(0)

    def test_T9_W4_a_step_of_25_days_over_a_restart_is_a_recess_and_work_is_in_time(self):
        self.check_work_over(25 * 86400)


class BrokerClock(Stepped):
    is_broker = True

    def test_T9_step_of_the_brokers_clock_ends_nothing_early_and_raises_the_alarm(self):
        rounds = -(-TIMES // len(STEPS))
        repeat(self, rounds, "the broker's clock steps", lambda: step_round(self, self.stepped))
        self.wait(lambda: self.alarms('broker'), 'the alarm')
        self.stepped.step(0)


class SummerTime(Stepped):
    """Broker and database live through the night in which the clock is put back."""

    is_database, is_broker = True, True

    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(os.environ.update, TZ=os.environ.get('TZ', 'UTC'))
        os.environ['TZ'] = 'Europe/Berlin'
        cls.starts_by = 1792890000 - 8 - time.time()  # 2026-10-25T01:00:00Z, not yet
        super().setUpClass()

    def test_T9_end_of_summer_time_moves_nothing(self):
        step_round(self, self.stepped, [self.starts_by] * 4)
        for row in self.sql.rows(
            "select extract(epoch from closes_at - opened_at) as window from tender.round"
        ):
            self.assertEqual(float(row['window']), WINDOW / 1e6)


class Frozen(Timed):
    def test_T9_W4_broker_frozen_over_due_times_takes_reports_and_lapses_after_its_grace(self):
        pids = [self.broker.process.pid]
        late = repeat(
            self, TIMES, 'the broker freezes', lambda: [freeze_round(self, pids)], 'the thaw'
        )
        self.assertGreaterEqual(min(late), GRACE)
        self.assertLess(max(late), GRACE + 10)  # the claim is one second; a loaded machine has ten
        log = self.broker.log.read_text(errors='replace')
        self.assertIn('event=recess why=stall', log)

    def test_T9_W4_database_frozen_over_due_times_takes_reports_and_ends_nothing_early(self):
        late = repeat(
            self,
            TIMES,
            'the database freezes',
            lambda: [freeze_round(self, server.processes(os.environ['PGDATA']))],
            'the thaw',
        )
        self.assertLess(max(late), GRACE + 10)


if __name__ == '__main__':
    main()
