#!/usr/bin/python3
"""Ten thousand contractors (T12): what each costs the broker, and that all come back at once. Goal:
under 12 kB each, served within ten seconds; a sanitizer's build has ten times both. Method: one
program with many sessions (tests/hostile), over either transport; its figures are printed.
"""
import os, pathlib, resource, sys
from harness import SystemTest, main

PROGRAM = pathlib.Path(os.environ['HOSTILE'], 'hostile_many')
COUNT = min(10_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 500)


class Many(SystemTest):
    broker_options = ('--contractors', '20001', '--hello-time', '60s')

    def crowd(self, url):
        process = self.start(
            PROGRAM, '--url', url, '--broker-pid', self.broker.process.pid, '--contractors', COUNT,
            '--memory-max', 120_000, '--seconds-max', 100, stdout=sys.stderr,
        )  # fmt: skip
        self.wait(lambda: process.poll() is not None, 'the end of the crowd', 400)
        self.assertEqual(process.returncode, 0)
        self.assertNotIn('listener-reopened', self.broker.log.read_text())

    def test_T12_ten_thousand_on_ipc(self):
        self.crowd(self.broker.url)

    def test_T12_ten_thousand_on_tcp(self):
        self.crowd(self.broker.tcp)


if __name__ == '__main__':
    main()
