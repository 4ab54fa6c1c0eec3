#!/usr/bin/python3
"""A tenth of a thousand contractors stop reading (T11, G3). Goal: the others' awards are not later
than before (1.2 times at the 99th percentile; a busy machine has ten times that), the stalled are
cut within ten seconds, the broker's memory stays bounded, and who reads again is served again.
Method: one program with all sessions (tests/hostile); its figures are printed.
"""
import os, pathlib, sys
from harness import SystemTest, main

PROGRAM = pathlib.Path(os.environ['HOSTILE'], 'hostile_stalled')


class Stalled(SystemTest):
    def test_T11_a_tenth_that_stops_reading_delays_nobody_and_is_cut(self):
        self.fund('platform', 1_000_000)
        process = self.start(
            PROGRAM, '--url', self.broker.url, '--broker-pid', self.broker.process.pid,
            '--seconds', 4, '--in-flight', 16, '--ratio-max', 12, '--cut-max', 100,
            stdout=sys.stderr,
        )  # fmt: skip
        self.wait(lambda: process.poll() is not None, 'the end of the crowd', 400)
        self.assertEqual(process.returncode, 0)
        self.assertIn('why="outbox full"', self.broker.log.read_text())


if __name__ == '__main__':
    main()
