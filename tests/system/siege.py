"""Connections that break off, say nothing, or say it slowly, while good peers work.

Each way is one function: it takes an address and does its harm once; what it leaves open it
returns, to be fed and closed by whoever asked. Nothing there speaks the protocol beyond its
greeting. Siege keeps a task in flight all the while and lets newcomers in; the worst time of each
is printed.
"""
import contextlib, socket, struct, sys, time
from harness import CREDIT, LIMIT, SECOND, Peer, SystemTest, unique
from peer import GREETING, connect


def reset_on_close(stream):
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))


def close(url):
    """Connects and closes: kills the ipc listener of nng 1.5.2."""
    connect(url, greets=False).close()


def fin_then_reset(url):
    """Says it will send no more, then breaks off: kills the tcp listener of nng 1.5.2."""
    stream = connect(url, greets=False)
    stream.shutdown(socket.SHUT_WR)
    reset_on_close(stream)
    stream.close()


def reset(url):
    stream = connect(url, greets=False)
    reset_on_close(stream)
    stream.close()


def half_greeting(url):
    stream = connect(url, greets=False)
    stream.sendall(GREETING[:4])
    stream.close()


def half_header(url):
    """Greets, begins a frame, and leaves within its size."""
    stream = connect(url)
    stream.sendall(b'\x01\0\0\0')
    stream.close()


def wrong_greeting(url):
    stream = connect(url, greets=False)
    stream.sendall(b'GET / HT')
    stream.close()


def silent(url):
    """Says nothing, not even its greeting."""
    return connect(url, greets=False)


def mute(url):
    """Greets, and then says nothing."""
    return connect(url)


def drip(stream, step):
    """One byte: of the greeting, then of a frame that never ends."""
    frame = GREETING + b'\x01' + (1 << 19).to_bytes(8, 'big')
    stream.send(frame[step : step + 1] or b'\x80')


BREAKING = (close, fin_then_reset, reset, half_greeting, half_header, wrong_greeting)

DONE = 6  # the state of a task


class Siege(SystemTest):
    may_fail = (ConnectionRefusedError,)
    served_s = 10  # the bound is one second; a busy machine has ten

    def begin(self, url):
        self.buyer = self.client(100_000)
        self.trade = unique('siege')
        self.workers = [
            self.contractor(
                skill=self.trade, cost=cost * CREDIT, slots=1000, url=url, heartbeat_us=SECOND
            )
            for cost in (1, 2)
        ]
        self.ready(*self.workers)
        self.lives, self.hellos, self.done, self.url = [], [], [], url
        self.key = None

    def live(self):
        """Serves everybody; one task is in flight at all times, and its life is timed."""
        self.pump(0)
        if self.key is None:
            self.since, self.key = time.monotonic(), self.buyer.say_announce(
                skill=self.trade, window_us=20 * SECOND
            )
            return
        answers = self.buyer.answers(self.key)
        if answers and any(
            m.fields.get('task_state') == DONE for m in self.buyer.told(answers[0].conversation)
        ):
            self.lives.append(time.monotonic() - self.since)
            self.done.append(str(answers[0].conversation))
            self.key = None

    def newcomer(self):
        """Somebody who was not there before."""
        since = time.monotonic()
        peer = Peer(self.url, unique('newcomer'), unique('newcomers'))
        while not peer.got('welcome'):
            peer.pump(0.01)
            self.live()
            self.assertLess(time.monotonic() - since, LIMIT, 'a newcomer is not let in')
        self.hellos.append(time.monotonic() - since)
        peer.close(LIMIT)

    def finish(self, what):
        """All that was announced ends once, and in time."""
        while self.key is not None:
            self.live()
            self.assertLess(time.monotonic() - self.since, LIMIT, 'the task in flight ends')
        rows = self.sql.rows(f"select task_id from tender.task where skill = '{self.trade}' "
                             "and status = 'done' order by announced_at")
        self.assertEqual([row['task_id'] for row in rows], self.done)
        self.assertEqual({worker.refused for worker in self.workers}, {None})
        print(
            f'{what}: {len(self.lives)} tasks done, worst {max(self.lives):.3f} s; '
            f'{len(self.hellos)} newcomers, worst {max(self.hellos):.3f} s',
            file=sys.stderr,
        )
        self.assertLess(max(self.lives), self.served_s)
        self.assertLess(max(self.hellos), self.served_s)

    def besiege(self, url, way, count, newcomer_every):
        self.begin(url)
        for number in range(count):
            with contextlib.suppress(*self.may_fail):  # a listener that is opened again
                way(url)
            if number % 4 == 0:
                self.live()
            if number % newcomer_every == 0:
                self.newcomer()
        self.newcomer()
        self.finish(f'{way.__name__} × {count} on {url[:3]}')

    def reopened(self):
        """How often the broker has opened a listener again."""
        return self.broker.log.read_text().count('event=listener-reopened')
