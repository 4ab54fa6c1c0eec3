"""A peer in Python, written from contractor-sdk/PROTOCOL.md alone; the bytes are in wire.py.

    peer = Peer('ipc:///run/tender/broker.ipc', 'kiln-2', 'kilns-ltd', skills=['fire-ceramics'])
    message = peer.next(timeout=10)        # Message(performative, conversation, fields) or None
    peer.send('propose', message.conversation, round=1, digest=..., cost_micro=5, eta_us=1000)

Nothing happens between calls: next() and pump() read, answer heartbeats, reconnect and repeat.
"""
import collections, os, random, select, socket, ssl, time
import nacl.signing
from wire import NIL, Message, claim, decode, pack_exchange, pack_message

GREETING, ANSWER = bytes.fromhex('0053500000300000'), bytes.fromhex('0053500000310000')


def connect(url, greets=True, timeout=10):
    """A stream to a broker; raises OSError."""
    ipc, tls = url.startswith('ipc://'), url.startswith('tls+tcp://')
    stream = socket.socket(socket.AF_UNIX if ipc else socket.AF_INET)
    try:
        stream.settimeout(timeout)
        host, _, port = url.partition('://')[2].rpartition(':')
        stream.connect(url[6:] if ipc else (host, int(port)))
        if tls:
            context = ssl.create_default_context(cafile=os.environ['TENDER_CA'])
            stream = context.wrap_socket(stream, server_hostname=host)
        if greets:
            stream.sendall(GREETING)
            answer = b''
            while len(answer) < 8:
                answer += stream.recv(8 - len(answer)) or b'no greeting'
            if answer != ANSWER:
                raise OSError('not a broker')
    except OSError:
        stream.close()
        raise
    return stream


def read_key(path):
    """The key in a file of `tender key new`."""
    with open(path) as file:
        return nacl.signing.SigningKey(bytes.fromhex(file.read().split()[1]))


def shards(receipts):
    return [receipts[at : at + 18] for at in range(0, len(receipts) // 18 * 18, 18)]


class Peer:
    def __init__(
        self, url, name, principal, heartbeat_us=5_000_000, skills=None, slots=1, key=None
    ):
        self._urls = url.split(',')  # those of several brokers
        self.url, self.inbox, self.refused, self.log = self._urls[0], collections.deque(), None, []
        self._hello = dict(name=name, principal=principal, heartbeat_us=heartbeat_us)
        self._offer = skills is not None and dict(skills=list(skills), slots=slots)
        self._socket, self._buffer, self._open, self._id = None, b'', {}, 0
        self._again_at, self._backoff, self._alive_at = 0, 0.05, 0
        path = os.environ.get('TENDER_KEY')
        self._key = key or (path and read_key(path))  # None: nothing is proved
        self._question, self._challenge, self._proved = None, None, False
        self.broker_key = None  # of whoever answered the question last
        self.turned_away = []  # addresses of brokers that answer instead
        self.receipts, self.losses = {}, 0
        self._begin([])

    def _begin(self, unheard):
        """A new session: hello, offer, what the last one left unheard; numbers begin again."""
        self.session, self.heartbeat_us = os.urandom(16), self._hello['heartbeat_us']
        self._proved = False  # for this session; the challenge of the connection stands
        held = b''.join(self.receipts.values())  # what we were told is in the ledger
        opening = [pack_message('hello', **self._hello, receipts=held)] + (
            [pack_message('offer', **self._offer)] if self._offer else []
        )
        self._opening = len(opening)  # these are made anew, never carried into the next session
        self._unheard, self._base = (
            opening + unheard,
            0,
        )  # message self._base + 1 is self._unheard[0]
        self._said, self.heard, self._early = (
            0,
            0,
            {},
        )  # said on this connection; heard; behind a gap

    def offer(self, skills, slots=1):
        self._offer = dict(skills=list(skills), slots=slots)
        self.send('offer', **self._offer)

    def send(self, performative, conversation=NIL, **fields):
        """Says a message, now or with the next request; returns its number."""
        self._unheard.append(pack_message(performative, conversation, **fields))
        self._flush()
        return self._base + len(self._unheard)

    def next(self, timeout):
        """The next message of the broker, or None when there was none in timeout seconds."""
        until = time.monotonic() + timeout
        while not self.inbox and self.refused is None and time.monotonic() < until:
            self.pump(until - time.monotonic())
        return self.inbox.popleft() if self.inbox else None

    def close(self, timeout=10):
        """Leaves: bye, and its reply awaited."""
        until = time.monotonic() + timeout
        if self.refused is None:
            self.send('bye')
        while self._socket and self.refused is None and time.monotonic() < until:
            self.pump(0.1, park=self._said < self._base + len(self._unheard))
        self._drop()

    def fileno(self):
        return self._socket.fileno() if self._socket else -1

    def pump(self, timeout=0, park=True):
        """One step: connects if it must, waits for bytes up to timeout seconds, takes what came."""
        if park:
            self._flush()
        if self._socket is None:
            return time.sleep(max(0, min(timeout, self._again_at - time.monotonic(), 0.05)))
        if not select.select([self._socket], [], [], min(timeout, 0.5))[0]:
            if self.is_stale():
                self.lost()
        else:
            try:
                data = self._socket.recv(1 << 20)
                while getattr(self._socket, 'pending', int)():  # of TLS, which select knows not of
                    data += self._socket.recv(1 << 20)
            except OSError:
                data = b''
            if not data:
                return self.lost()
            self._buffer, prefix = self._buffer + data, self._prefix
            while len(self._buffer) >= prefix + 8:
                end = prefix + 8 + int.from_bytes(self._buffer[prefix : prefix + 8], 'big')
                if len(self._buffer) < end:
                    break
                payload, self._buffer = self._buffer[prefix + 8 : end], self._buffer[end:]
                self._reply(payload)
            if park:
                self._flush()

    def is_stale(self):
        """Whether the connection gave no reply for three heartbeats."""
        return (
            bool(self._open)
            and time.monotonic() > self._alive_at + 3 * max(self.heartbeat_us, 100_000) / 1e6
        )

    def _connect(self):
        if time.monotonic() < self._again_at:
            return False
        try:
            self._socket, self._prefix = connect(self.url), int(self.url.startswith('ipc://'))
        except OSError:
            pause = self._backoff * random.uniform(0.5, 1.5)
            self._again_at, self._backoff = time.monotonic() + pause, min(1, self._backoff * 2)
            self._next_url()
            self._drop()
            return False
        self._alive_at, self._backoff = time.monotonic(), 0.05
        return True

    def _next_url(self, named=()):
        """Of several addresses one that a broker named, or the next."""
        if len(self._urls) > 1:
            known = [url for url in named if url in self._urls]
            self.url = (known or self._urls[self._urls.index(self.url) + 1 :] or self._urls)[0]

    def _drop(self):
        if self._socket:
            self._socket.close()
        self._socket, self._buffer = None, b''
        self._question, self._challenge, self._proved = None, None, False

    def lost(self):
        """The connection is gone: open requests are void, what was not heard is said again."""
        self._drop()
        self._open, self._said = {}, self._base
        self._again_at = time.monotonic() + self._backoff

    def request(self, exchange):
        """Opens a request with any bytes."""
        self._id += 1
        payload = (0x80000000 | self._id & 0x7FFFFFFF).to_bytes(4, 'big') + exchange
        self._open[payload[:4]] = True
        try:
            self._socket.sendall(b'\x01' * self._prefix + len(payload).to_bytes(8, 'big') + payload)
        except OSError:
            self.lost()

    def _flush(self):
        """Keeps one request parked, and opens a second one to speak."""
        if self.refused is not None or (self._socket is None and not self._connect()):
            return
        if not self._proved and self._key:
            return self._prove()
        news = self._unheard[self._said - self._base :]
        if not self._open or (news and len(self._open) < 2):
            size, take = 64, 0
            while take < min(len(news), 4096) and (size := size + len(news[take])) <= 1 << 20:
                take += 1
            first, self._said = self._said + 1, self._said + take
            self.request(pack_exchange(self.session, first, self.heard, news[:take]))

    def _prove(self):
        """The next step of the proof, when the answer to the last one has come."""
        if self._open:
            return
        if self._challenge is None:  # who answers?
            self._question = os.urandom(32)
            return self.request(
                pack_exchange(self.session, self._said + 1, self.heard, [], tail=self._question)
            )
        text = claim(self._challenge, self.session, self._hello['name'], self._hello['principal'])
        proof = bytes(self._key.verify_key) + self._key.sign(text).signature
        news, size, take = self._unheard[self._said - self._base :], 200, 0
        while take < len(news) and (size := size + len(news[take])) <= 4096:
            take += 1
        first, self._said, self._proved = self._said + 1, self._said + take, True
        self.request(pack_exchange(self.session, first, self.heard, news[:take], tail=proof))

    def _challenged(self, challenge):
        """The answer to the question, or to what was said on a connection that is not proved."""
        self._said, self._proved = self._base, False
        signed = b'tender/here/v1' + (self._question or bytes(32)) + challenge[:32] + self.session
        self.broker_key = challenge[32:64]
        nacl.signing.VerifyKey(self.broker_key).verify(signed, challenge[64:])
        self._challenge, self._question = challenge, None  # one that nobody asked for is over zeros

    def _reply(self, payload):
        if self._open.pop(payload[:4], None) is None:
            return
        self._alive_at, exchange = time.monotonic(), decode(payload[4:])
        if exchange.session not in (self.session, bytes(16)):
            return  # zeros: what was sent was no exchange
        if exchange.first == 0 and exchange.receipts is not None:
            return self._challenged(exchange.receipts)
        if exchange.first == 0:  # outside the numbering: there is no session
            return self._end(next(filter(None, exchange.messages), Message('bye', NIL, {})))
        heard = min(exchange.heard, self._said) - self._base
        if heard > 0:
            self._unheard, self._base = self._unheard[heard:], self._base + heard
        for receipt in shards(exchange.receipts or b''):
            self._keep(receipt)
        self._early[exchange.first] = exchange.messages
        while (first := min(self._early, default=self.heard + 2)) <= self.heard + 1:
            for number, message in enumerate(self._early.pop(first), first):
                if number > self.heard:
                    self.heard = number
                    self._take(message)

    def _end(self, message):
        self.log.append(message)
        reason = message.fields.get('reason')
        if reason == 80:  # not known: begin again
            self._begin(self._unheard[max(0, self._opening - self._base) :])
        elif reason == 108:  # another broker answers; a test moves the url of one that has no other
            self.turned_away.append(message.fields.get('address'))
            self._next_url((message.fields.get('address') or '').split())
            self._begin(self._unheard[max(0, self._opening - self._base) :])
            self.lost()
        elif reason in (84, 98):  # a limit, or going down: as if the connection were lost
            self.lost()
        else:
            self.refused = message

    def _keep(self, receipt):
        """The newest of each shard, by reign and batch."""
        kept = self.receipts.get(receipt[:2])
        if kept is None or (receipt[2:6], receipt[10:]) > (kept[2:6], kept[10:]):
            self.receipts[receipt[:2]] = receipt

    def _take(self, message):
        if message is None:
            return
        self.log.append(message)
        if message.performative == 'welcome':
            self.heartbeat_us = message.fields['heartbeat_us']
            for receipt in shards(message.fields.get('receipts', b'')):  # less is held: a loss
                self.losses += 1
                self.receipts.pop(receipt[:2], None)
        self.inbox.append(message)
