#!/usr/bin/python3
"""Listeners under siege (T13): every known way of breaking off, and of staying without a word.
Goal: nothing is lost, who is good is served within a second, no listener dies. Method: siege.py.
TENDER_SIEGE=N does each way N times (1,000).
"""
import contextlib, os, select, sys, time
import siege
from siege import Siege
from harness import main

COUNT = int(os.environ.get('TENDER_SIEGE', 1000))
GONE_S = 100  # the bound is ten seconds; a busy machine has ten times that
HELD = 400  # connections that stay at one time; select() knows no more than 1,024


class Broken(Siege):
    def check_untouched(self):
        """Neither a listener nor the whole transport had to be given up."""
        self.assertEqual(self.reopened(), 0)
        self.assertNotIn('beginning-anew', self.broker.log.read_text())

    def test_T13_connections_that_break_off_on_ipc(self):
        for way in (siege.close, siege.half_greeting, siege.half_header, siege.wrong_greeting):
            with self.subTest(way=way.__name__):
                self.besiege(self.broker.url, way, COUNT, COUNT // 10 or 1)
        self.check_untouched()

    def test_T13_connections_that_break_off_on_tcp(self):
        for way in siege.BREAKING:
            with self.subTest(way=way.__name__):
                self.besiege(self.broker.tcp, way, COUNT, COUNT // 10 or 1)
        self.check_untouched()


class Staying(Siege):
    def test_T13_connections_that_say_nothing_or_one_byte_a_second_are_gone_in_time(self):
        self.begin(self.broker.url)
        urls = (self.broker.url, self.broker.tcp)
        kinds = ((siege.silent, False), (siege.mute, False), (siege.silent, True))
        drips = {}  # of every connection that stays
        for url in urls:
            for way, does_drip in kinds:
                drips.update((way(url), does_drip) for _ in range(HELD // 6))
        since, last, step = time.monotonic(), {}, 0
        while drips:
            self.live()
            elapsed = time.monotonic() - since
            if elapsed >= step:
                self.drip(drips, step)
                self.newcomer()
                step += 1
            for stream in self.closed(drips):
                last[drips.pop(stream)] = elapsed
            self.assertLess(elapsed, GONE_S, f'{len(drips)} are still there')
        self.newcomer()
        print(f'silent ones gone after {last[False]:.1f} s, slow ones after {last[True]:.1f} s',
              file=sys.stderr)  # fmt: skip
        self.finish('staying')

    def drip(self, drips, step):
        for stream, does_drip in drips.items():
            if does_drip:
                with contextlib.suppress(OSError):
                    siege.drip(stream, step)

    def closed(self, drips):
        """Those that the broker has closed by now."""
        for stream in select.select(list(drips), [], [], 0.01)[0]:
            try:
                is_open = stream.recv(64)  # a greeting
            except OSError:
                is_open = b''
            if not is_open:
                stream.close()
                yield stream


if __name__ == '__main__':
    main()
