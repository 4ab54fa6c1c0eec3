#!/usr/bin/python3
"""The watchdog, where a listener does die (nng 1.5.2 as it is: a tenderd without mend.c). Goal:
each time it is opened again, whoever was connected goes on with its session, and newcomers are let
in. Method: the two ways that kill, a newcomer after each; siege.py. TENDER_SIEGE=N kills N times.
"""
import os
import siege
from siege import Siege
from harness import main

COUNT = int(os.environ.get('TENDER_SIEGE', 15))


class Killed(Siege):
    broker_options = ('--probe', '1s')
    served_s = 100  # one time in some two hundred closing a listener locks nng up (decision 0017),
    # which is found out after ten seconds

    def kill(self, url, way):
        before = self.reopened()
        self.besiege(url, way, COUNT, 1)
        if self.is_mended:
            self.assertEqual(self.reopened(), before)
        else:
            self.assertGreater(self.reopened(), before)

    @property
    def is_mended(self):
        """From 1.6.0 on nng does not let its listeners die."""
        log = self.broker.log.read_text()
        return tuple(map(int, log.split(' nng=')[1].split()[0].split('.')[:2])) >= (1, 6)

    def test_T13_ipc_listener_that_dies_is_opened_again_each_time(self):
        self.kill(self.broker.url, siege.close)

    def test_T13_tcp_listener_that_dies_is_opened_again_each_time(self):
        self.kill(self.broker.tcp, siege.fin_then_reset)


if __name__ == '__main__':
    main()
