"""A proxy before PostgreSQL's socket that knows just enough of the protocol to see a commit.

A batch of the broker is a pipeline of statements that ends with a sync. The server answers that
once the batch is committed. Told to, the proxy keeps this answer for itself and cuts the
connection, so that the broker cannot know whether its batch is held.
"""
import collections, contextlib, socket, struct, threading, time


class Stream:
    """Cuts what is received into whole messages: a type (None for the first) and all bytes."""

    def __init__(self, has_startup):
        self.bytes = bytearray()
        self.has_startup = has_startup

    def feed(self, data):
        self.bytes += data
        while True:
            head = 0 if self.has_startup else 1
            if len(self.bytes) < head + 4:
                return
            size = head + struct.unpack_from('!I', self.bytes, head)[0]
            if len(self.bytes) < size:
                return
            message = bytes(self.bytes[:size])
            del self.bytes[:size]
            kind = None if self.has_startup else message[:1]
            self.has_startup = False
            yield kind, message


class Link:
    """One connection through the proxy."""

    def __init__(self, proxy, client, server):
        self.proxy, self.client, self.server = proxy, client, server
        self.is_batch = False  # of what was said since the last sync
        self.units = collections.deque()  # whether each that is not answered is a batch
        for side in (self._forward, self._answer):
            threading.Thread(target=side, daemon=True).start()

    def close(self):
        for end in (self.client, self.server):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _forward(self):
        stream = Stream(has_startup=True)
        with contextlib.suppress(OSError):
            while data := self.client.recv(1 << 16):
                for kind, message in stream.feed(data):
                    if kind == b'B' and b'begin_batch' in message[:64].lower():
                        self.is_batch = True
                    elif kind in (b'S', b'Q'):
                        self.units.append(self.is_batch)
                        self.is_batch = False
                self.server.sendall(data)
        self.close()

    def _answer(self):
        stream = Stream(has_startup=False)
        is_ready = False  # the first one ends the greeting
        with contextlib.suppress(OSError):
            while data := self.server.recv(1 << 16):
                out = bytearray()
                for kind, message in stream.feed(data):
                    if kind == b'Z':
                        is_batch = is_ready and self.units and self.units.popleft()
                        is_ready = True
                        if is_batch and self.proxy.takes():
                            return self.close()
                    out += message
                self.client.sendall(out)
        self.close()


class Proxy:
    def __init__(self, listen, target):
        self._target = target
        self._wants = threading.Event()
        self.swallowed = self.swallowed_us = 0
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(listen))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._listener.accept()
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self._target)
            except OSError:
                client.close()
                continue
            Link(self, client, server)

    def swallow(self):
        """The answer to the next batch that commits is not passed on."""
        self._wants.set()

    def takes(self):
        if not self._wants.is_set():
            return False
        self._wants.clear()
        self.swallowed_us = time.monotonic_ns() // 1000
        self.swallowed += 1
        return True
