#!/usr/bin/python3 -B
"""A wall between two sides of a socket: passes everything on, until it is told to let nothing
through, in one direction or in both. What is said meanwhile waits, as it does in a network that is
parted, and arrives when the wall is opened, also from a side that has given up.

    wall.py LISTEN TARGET     sockets; "in", "out", "both" and "open" on standard input
"""
import contextlib, selectors, socket, subprocess, sys

CHUNK = 1 << 16
HELD = 1 << 18  # bytes under way in one direction


class End:
    """One side of a connection: what was read here goes to `other`."""

    def __init__(self, connection, is_client):
        self.connection, self.is_client = connection, is_client
        self.out = bytearray()  # for this side
        self.has_ended = False  # nothing more comes from it
        self.other = None


class Relay:
    def __init__(self, listen, target):
        self._target = target
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(listen)
        self._listener.listen(1024)
        self._ends = set()
        self._is_shut = {True: False, False: False}  # by whether it comes from the client
        self._selector = selectors.DefaultSelector()
        self._selector.register(sys.stdin, selectors.EVENT_READ)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)

    def run(self):
        while True:
            for key, events in self._selector.select():
                if key.fileobj is sys.stdin:
                    word = sys.stdin.readline().strip()
                    if not word:
                        return
                    self._shut(word)
                elif key.data == self._accept:
                    self._accept()
                elif key.data in self._ends:
                    self._serve(key.data, events)

    def _shut(self, word):
        self._is_shut = {True: word in ('in', 'both'), False: word in ('out', 'both')}
        is_watched = self._listener in self._selector.get_map()
        if word == 'open' and not is_watched:
            self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        elif word != 'open' and is_watched:
            self._selector.unregister(self._listener)  # also to connect takes both ways
        for end in list(self._ends):
            self._watch(end)
        print(word, flush=True)

    def _accept(self):
        connection, _ = self._listener.accept()
        target = socket.socket(socket.AF_UNIX)
        try:
            target.connect(self._target)
        except OSError:
            connection.close()
            target.close()
            return
        ends = End(connection, True), End(target, False)
        for end, other in (ends, ends[::-1]):
            end.connection.setblocking(False)
            end.other = other
            self._ends.add(end)
        for end in ends:
            self._watch(end)

    def _watch(self, end):
        """Says what is waited for at this side."""
        reads = not end.has_ended and not self._is_shut[end.is_client] and len(end.other.out) < HELD
        writes = end.out and not self._is_shut[not end.is_client]
        events = (selectors.EVENT_READ if reads else 0) | (selectors.EVENT_WRITE if writes else 0)
        is_known = end.connection in self._selector.get_map()
        if events == 0:
            if is_known:
                self._selector.unregister(end.connection)
        elif is_known:
            self._selector.modify(end.connection, events, end)
        else:
            self._selector.register(end.connection, events, end)

    def _serve(self, end, events):
        try:
            if events & selectors.EVENT_READ:
                data = end.connection.recv(CHUNK)
                end.other.out += data
                end.has_ended = not data
            for side in (end, end.other):
                if side.out and not self._is_shut[not side.is_client]:
                    with contextlib.suppress(BlockingIOError):
                        del side.out[:side.connection.send(side.out)]
        except OSError:
            return self._close(end)
        if any(side.has_ended and not side.other.out for side in (end, end.other)):
            return self._close(end)
        for side in (end, end.other):
            self._watch(side)

    def _close(self, end):
        for side in (end, end.other):
            if side.connection in self._selector.get_map():
                self._selector.unregister(side.connection)
            side.connection.close()
            self._ends.discard(side)


class Wall:
    """A relay in a process of its own."""

    def __init__(self, listen, target):
        self._process = subprocess.Popen(
            [sys.executable, '-B', __file__, str(listen), str(target)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # fmt: skip
        self.say('open')

    def say(self, word):
        """Lets nothing through: "in" from the client, "out" to it, or "both"; or "open"."""
        self._process.stdin.write(word + '\n')
        self._process.stdin.flush()
        assert self._process.stdout.readline() == word + '\n', 'the wall fell'

    def close(self):
        self._process.stdin.close()
        self._process.wait()


if __name__ == '__main__':
    Relay(*sys.argv[1:]).run()
