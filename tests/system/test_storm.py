#!/usr/bin/python3
"""W9, T16: everything is due in one second. The broker ends it in batches of bounded size, and new
tasks are awarded meanwhile.

TENDER_STORM=100000 test_storm.py is the long form; each prints its figures.
"""
import os, statistics, sys, time
from harness import CREDIT, HOUR, SECOND, Contractor, SystemTest, main

COUNT = int(os.environ.get('TENDER_STORM', 1500))
WINDOW = 20 * SECOND
PER_TICK = 100  # below what comes at once, so that the bound shows
UNHEARD_MAX = 2000  # announcements on their way at a time


class Storm(SystemTest):
    broker_options = ('--deadlines-per-tick', str(PER_TICK), '--invitations', str(COUNT + 100))

    def probe(self, client, prober, latencies):
        """Announces one task and waits for its award."""
        awards, sent = len(prober.awards), time.monotonic()
        client.say_announce(skill=prober.skill, close_alone=1, ceiling_micro=CREDIT)
        self.wait(lambda: len(prober.awards) > awards, 'an award beside the storm')
        latencies.append(time.monotonic() - sent)

    def hold(self, client, owners, due_at):
        """Has COUNT commitments that are all due then, but for the moment that an award takes.

        A cfp's due is what the window leaves of the deadline, and counts from the award.
        """
        terms = dict(window_us=WINDOW, close_alone=1, rounds=1, ceiling_micro=1)
        terms |= dict(ack_us=HOUR, due_us=HOUR)
        for n in range(COUNT):
            skill = owners[n % len(owners)].skill
            client.say_announce(skill=skill, deadline_at_us=due_at + WINDOW, **terms)
            self.wait(lambda: len(client._unheard) < UNHEARD_MAX, 'the broker hears')
        self.wait(
            lambda: sum(len(owner.awards) for owner in owners) == COUNT
            and not any(owner._unheard for owner in owners),
            'all are awarded',
            limit=COUNT / 50 + 120,
        )

    def test_W9_all_commitments_due_at_once_lapse_in_bounded_batches_beside_fast_awards(self):
        client, other = self.client(10_000), self.client()
        quick = dict(cost=1, eta_us=HOUR, slots=30_000)
        owners = [
            self.contractor('owner', f'own.{n}', **quick, on_award=Contractor.acknowledge)
            for n in range(1 + COUNT // 30_000)
        ]
        prober = self.contractor('prober', 'probe', **quick)
        self.ready(prober, *owners)
        before, during = [], []
        for _ in range(20):
            self.probe(other, prober, before)
        due_at = int(time.time() * SECOND) + int((10 + COUNT / 100) * SECOND)
        self.hold(client, owners, due_at)
        self.assertLess(time.time() * SECOND, due_at, 'all were awarded before they are due')
        until = due_at / SECOND - 0.05
        self.wait(lambda: time.time() >= until, 'they are nearly due', limit=COUNT / 50 + 60)
        while not during or sum(len(owner.got('cancel')) for owner in owners) < COUNT:
            self.probe(other, prober, during)
        took = time.time() - due_at / SECOND
        (row,) = self.sql.rows(
            f"""select count(*) as ended, max(batch) as largest
            from (select count(*) as batch from tender.commitment
                where owner like 'owner-%' and status = 'lapsed' group by ended_at) as b"""
        )
        self.report(row, took, before, during)
        self.assertEqual(
            self.sql.value(
                """select count(*) filter (where paid = 0 and ended_at >= due_at)
                from tender.commitment where owner like 'owner-%' and status = 'lapsed'"""
            ),
            COUNT,
        )
        self.assertLessEqual(row['largest'], PER_TICK)
        self.assertGreater(took, 0, 'the probes ran beside the storm')
        self.assertLess(max(during), 10)

    def report(self, row, took, before, during):
        def spread(latencies):
            ordered = sorted(latencies)
            return f'p50 {statistics.median(ordered):.3f} s, worst {ordered[-1]:.3f} s'

        print(
            f'{COUNT} due at once: lapsed in {took:.2f} s, {row["ended"]} batches of at most '
            f'{row["largest"]}; an award took {spread(before)} before, {spread(during)} meanwhile '
            f'({len(during)} awards)',
            file=sys.stderr,
        )


if __name__ == '__main__':
    main()
