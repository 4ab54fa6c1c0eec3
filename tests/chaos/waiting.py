"""Every wait of a run is for a condition with a limit; to reach the limit is a violation."""
import time

LIMIT = 60.0  # seconds for what the plan allows two to five


class Violation(Exception):
    """What must not happen happened."""


def now_us():
    """By the clock of the journals."""
    return time.monotonic_ns() // 1000


def wait(condition, what, limit=LIMIT, step=0.01):
    until = time.monotonic() + limit
    while not (result := condition()):
        if time.monotonic() > until:
            raise Violation(f'after {limit:.0f} s: no {what}')
        time.sleep(step)
    return result
