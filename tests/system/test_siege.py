#!/usr/bin/python3
"""Listeners under siege (T13): every known way of breaking off, and of staying without a word.
Goal: nothing is lost, who is good is served within a second, no listener dies. Method: siege.py.
TENDER_SIEGE=N does each way N times (1,000).
"""
import siege
from siege import COUNT, Siege
from harness import main


class Broken(Siege):
    def test_T13_connections_that_break_off_on_ipc(self):
        for way in (siege.close, siege.half_greeting, siege.half_header, siege.wrong_greeting):
            with self.subTest(way=way.__name__):
                self.besiege(self.broker.url, way, COUNT, COUNT // 10 or 1)
        self.assertEqual(self.reopened(), 0)

    def test_T13_connections_that_break_off_on_tcp(self):
        for way in siege.BREAKING:
            with self.subTest(way=way.__name__):
                self.besiege(self.broker.tcp, way, COUNT, COUNT // 10 or 1)
        self.assertEqual(self.reopened(), 0)


if __name__ == '__main__':
    main()
