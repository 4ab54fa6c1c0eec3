"""The bytes of the protocol, written from contractor-sdk/PROTOCOL.md alone."""
import collections, re, uuid
import msgpack

NIL = uuid.UUID(int=0)
INT_MAX, YEARS, INSTANT, MONEY = 2**63 - 1, 316224 * 10**9, 4102444800 * 10**6, 10**18
PERFORMATIVES = dict(
    enumerate(
        'hello welcome offer announce agree cfp propose refuse withdraw accept-proposal '
        'reject-proposal acknowledge inform-progress inform-done failure cancel close release '
        'query inform not-understood bye accept reject believe adopt hold rate resource '
        'enrol'.split(),
        1,
    )
)
CODES = {name: code for code, name in PERFORMATIVES.items()}
TABLE = {  # type, least, most: in the order of their keys
    'name': ('name', 1, 64),
    'principal': ('name', 1, 64),
    'heartbeat_us': (int, 0, 3600 * 10**6),
    'skills': ('skills', 0, 64),
    'slots': (int, 0, 65535),
    'key': (str, 1, 128),
    'skill': ('skill', 1, 64),
    'units': (int, 1, 10**9),
    'ceiling_micro': (int, 0, MONEY),
    'window_us': (int, 1, YEARS),
    'due_us': (int, 1, YEARS),
    'deadline_at_us': (int, 0, INSTANT),
    'rounds': (int, 1, 100),
    'backoff_us': (int, 0, YEARS),
    'ack_us': (int, 1, YEARS),
    'priority': (int, 0, 9),
    'partial': (int, 1, 3),
    'kill_fee_ppm': (int, 0, 10**6),
    'close_alone': (int, 0, 1),
    'fallback': (int, 1, 3),
    'contractor': ('name', 1, 64),
    'again': (bytes, 16, 16),
    'content': (bytes, 0, 65536),
    'round': (int, 0, 2**32 - 1),
    'digest': (bytes, 32, 32),
    'closes_at_us': (int, 0, INSTANT),
    'cost_micro': (int, 0, INT_MAX),
    'eta_us': (int, 1, INT_MAX),
    'valid_until_us': (int, 0, INT_MAX),
    'text': (str, 0, 4096),
    'reason': (int, 0, 999),
    'part': (int, 0, 2**32 - 1),
    'generation': (int, 0, 2**32 - 1),
    'price_micro': (int, 0, MONEY),
    'due_at_us': (int, 0, INSTANT),
    'ack_by_us': (int, 0, INSTANT),
    'units_done': (int, 0, 10**9),
    'paid_micro': (int, 0, MONEY),
    'task_state': (int, 1, 8),
    'state': (int, 1, 7),
    'field': (str, 0, 64),
    'at_us': (int, 0, INSTANT),
    'number': (int, 0, INT_MAX),
    'released_micro': (int, 0, MONEY),
    'broker': (str, 0, 64),
    'rank': (int, 0, INT_MAX),
    'bids': (int, 0, INT_MAX),
    'after': (bytes, 16, 256),
    'goal': ('name', 1, 64),
    'evidence': (str, 0, 4096),
    'accept_us': (int, 0, YEARS),
    'size': (int, 0, INT_MAX),
    'split_max': (int, 0, 16),
    'capacity': (int, 0, INT_MAX),
    'cover_all': (int, 0, 1),
    'improve': (int, 0, 10),
    'lead_only': (int, 0, 1),
    'invite_max': (int, 0, 1024),
    'share_ppm': (int, 0, 10**6),
    'tier': ('skill', 1, 64),
    'estimate_micro': (int, 0, MONEY),
    'address': (str, 0, 1000),
    'receipts': (bytes, 0, 65536),
    'nonce': (bytes, 16, 16),
    'book': (bytes, 32, 32),
    'proof': (bytes, 0, 65536),
}
KEYS = {name: key for key, name in enumerate(TABLE, 1)}
FIELDS = {key: name for name, key in KEYS.items()}
_SHAPES = {
    'name': re.compile('[A-Za-z0-9][A-Za-z0-9._@/-]*'),
    'skill': re.compile('[a-z0-9]([a-z0-9._/-]*[a-z0-9])?'),
}

REASONS = {0, *range(10, 54), *range(60, 79), *range(80, 116)}

Message = collections.namedtuple('Message', 'performative conversation fields')
Exchange = collections.namedtuple(
    'Exchange', 'version session first heard messages receipts', defaults=(None,)
)


class Malformed(ValueError):
    """A frame that is refused whole."""


class _Map(list):
    """A decoded map as its pairs, so that a key twice is seen and a key may be anything."""


def fault(field, value):
    """The fault of a field's value, 'malformed' or 'out-of-range', or None."""
    kind, least, most = TABLE[field]
    if kind == 'skills':
        if type(value) is not list:
            return 'malformed'
        if len(value) > most:
            return 'out-of-range'
        return next((f for f in (fault('skill', skill) for skill in value) if f), None)
    if type(value) is not (str if kind in _SHAPES else kind) or (kind is int and value > INT_MAX):
        return 'malformed'
    size = value
    if kind is bytes:
        size = len(value)
    elif kind is not int:
        encoded = value.encode('utf-8', 'surrogateescape')
        if '\0' in value or value.encode('utf-8', 'replace') != encoded:
            return 'malformed'
        size = len(encoded)
    if size < least and kind is not int or (size != most and least == most):
        return 'malformed'
    if not least <= size <= most or (field == 'reason' and value not in REASONS):
        return 'out-of-range'
    return 'malformed' if kind in _SHAPES and not _SHAPES[kind].fullmatch(value) else None


def _weigh(value, level=0):
    """How many objects a decoded value is; refuses more than 8 levels and a key twice."""
    if not isinstance(value, list):
        return 1
    if level == 8:
        raise Malformed('more than 8 levels')
    parts = value
    if type(value) is _Map:
        if len({(type(key), repr(key)) for key, _ in value}) != len(value):
            raise Malformed('a key twice')
        parts = [part for pair in value for part in pair]
    return 1 + sum(_weigh(part, level + 1) for part in parts)


def _message(raw):
    """A Message, or None for what cannot be read. Keys that are not known are left out."""
    if type(raw) is not list or len(raw) != 3 or type(raw[0]) is not int or raw[0] < 1:
        return None
    if type(raw[1]) is not bytes or len(raw[1]) != 16 or type(raw[2]) is not _Map:
        return None
    fields = {FIELDS[key]: value for key, value in raw[2] if type(key) is int and key in FIELDS}
    return Message(PERFORMATIVES.get(raw[0], raw[0]), uuid.UUID(bytes=raw[1]), fields)


def decode(data):
    """An Exchange; a message that cannot be read is None in its list."""
    try:
        whole = msgpack.unpackb(
            data,
            raw=False,
            unicode_errors='surrogateescape',
            strict_map_key=False,
            object_pairs_hook=_Map,
            max_array_len=262144,
            max_map_len=131072,
        )
    except Exception as error:
        raise Malformed(repr(error)) from error
    is_list = type(whole) is list and len(whole) in (5, 6)
    if len(data) > 1 << 20 or _weigh(whole) > 262144 or not is_list:
        raise Malformed('no exchange')
    version, session, first, heard, messages, *receipts = whole
    if (
        any(type(part) is not bytes for part in receipts)
        or any(
            type(number) is not int or not 0 <= number <= INT_MAX
            for number in (version, first, heard)
        )
        or type(session) is not bytes
        or len(session) != 16
        or type(messages) is not list
        or len(messages) > 4096
    ):
        raise Malformed('no exchange')
    return Exchange(
        version, session, first, heard, [_message(message) for message in messages], *receipts
    )


def pack_message(performative, conversation=NIL, **fields):
    """A message's bytes. Values go out as they are, so that a test may send what is malformed."""
    body = {KEYS[name]: value for name, value in fields.items() if value is not None}
    return msgpack.packb(
        [CODES.get(performative, performative), conversation.bytes, body],
        unicode_errors='surrogateescape',
    )


def pack_exchange(session, first, heard, messages, version=1, tail=None):
    return (
        (b'\x95' if tail is None else b'\x96')
        + b''.join(map(msgpack.packb, (version, session, first, heard)))
        + msgpack.Packer().pack_array_header(len(messages))
        + b''.join(messages)
        + (b'' if tail is None else msgpack.packb(tail))
    )


def claim(challenge, session, name, principal):
    """What a peer signs: the challenge's nonce and key, its session, its names."""
    texts = [text.encode('utf-8', 'surrogateescape') for text in (name, principal)]
    return (
        b'tender/auth/v1'
        + challenge[:64]
        + session
        + b''.join(bytes([len(text)]) + text for text in texts)
    )
