#!/usr/bin/env python3
"""Writes vectors.json: exchanges as hex beside what they mean, for all implementations.

Packed by python3-msgpack, so that the C encoder is compared with another one. Run it by hand when
vectors are added; vectors that were released keep their bytes.
"""
import hashlib
import json
import re
import sys
from pathlib import Path

import msgpack
import nacl.signing

HERE = Path(__file__).resolve().parent
SDK = HERE.parent.parent / "contractor-sdk"
MESSAGE_H = (SDK / "wire/message.h").read_text()
VOCABULARY_H = (SDK / "include/tender/vocabulary.h").read_text()

FIELDS = {name: (int(key), kind) for key, kind, name in re.findall(
    r'X\(\s*(\d+), \w+,\s+\w+,\s+(\w+),\s+"(\w+)"\)', MESSAGE_H)}
PERFORMATIVES = {name: int(code) for code, name in re.findall(
    r'X\(\s*(\d+), \w+,\s+"([a-z-]+)",\s+"(?:peer|broker|client|contractor|operator|either)',
    VOCABULARY_H)}

SESSION = bytes.fromhex("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf")
CLIENT = bytes.fromhex("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
TASK = "0192f0c8-1a2b-7c3d-8e4f-5a6b7c8d9eaf"
OTHER = "0192f0c8-1a2b-7c3d-8e4f-5a6b7c8d9eb0"
NIL = "00000000-0000-0000-0000-000000000000"
RECEIPT = "0000" "00000007" "89abcdef" "0000000000000123"
DIGEST = "".join(f"{byte:02x}" for byte in range(32))
AT = 1764500000000000


def packed(kind, value):
    if kind in ("BYTES", "DIGEST"):
        return bytes.fromhex(value)
    if kind == "ID":
        return bytes.fromhex(value.replace("-", ""))
    return value


def message(performative, conversation, **fields):
    return {"performative": performative, "conversation": conversation, "fields": fields}


def exchange(name, session, first, heard, *messages):
    body = [[PERFORMATIVES[m["performative"]], packed("ID", m["conversation"]),
             {FIELDS[f][0]: packed(FIELDS[f][1], v)
              for f, v in sorted(m["fields"].items(), key=lambda item: FIELDS[item[0]][0])}]
            for m in messages]
    frame = msgpack.packb([1, session, first, heard, body], use_bin_type=True)
    return {"name": name, "hex": frame.hex(), "version": 1, "session": session.hex(),
            "first": first, "heard": heard, "messages": list(messages)}


def text(value):
    return value.encode().hex()


EXCHANGES = [
    exchange("contractor opens a session and offers", SESSION, 1, 0,
             message("hello", NIL, name="kiln-2", principal="kilns-ltd", heartbeat_us=5000000),
             message("offer", NIL, skills=["fire-ceramics", "translate.de"], slots=2)),
    exchange("broker welcomes and agrees", SESSION, 1, 2,
             message("welcome", NIL, broker="tenderd", at_us=AT, heartbeat_us=5000000),
             message("agree", NIL, at_us=AT)),
    exchange("contractor parks", SESSION, 3, 2),
    exchange("broker calls for proposals", SESSION, 3, 2,
             message("cfp", TASK, round=1, digest=DIGEST, skill="translate.de", units=40,
                     ceiling_micro=30000000, closes_at_us=AT + 20000000, due_us=3600000000,
                     ack_us=10000000, kill_fee_ppm=100000, partial=1,
                     content=text("40 support articles into German"))),
    exchange("contractor proposes", SESSION, 3, 3,
             message("propose", TASK, round=1, digest=DIGEST, cost_micro=12000000,
                     eta_us=3300000000, valid_until_us=AT + 60000000,
                     text="queue is short · Schlange kurz")),
    exchange("contractor refuses", SESSION, 3, 3,
             message("refuse", TASK, round=1, reason=40)),
    exchange("contractor withdraws", SESSION, 4, 3, message("withdraw", TASK, round=1)),
    exchange("broker awards", SESSION, 4, 3,
             message("accept-proposal", TASK, round=1, part=0, generation=1, units=40,
                     price_micro=15000000, due_at_us=AT + 3320000000, ack_by_us=AT + 30000000)),
    exchange("broker rejects", SESSION, 4, 3,
             message("reject-proposal", TASK, round=1, reason=11, rank=2, price_micro=15000000,
                     bids=2)),
    exchange("contractor acknowledges", SESSION, 4, 4,
             message("acknowledge", TASK, part=0, generation=1)),
    exchange("contractor reports progress", SESSION, 5, 4,
             message("inform-progress", TASK, part=0, generation=1, units_done=20,
                     content=text("articles 1 to 20"))),
    exchange("contractor is done", SESSION, 6, 4,
             message("inform-done", TASK, part=0, generation=1, units_done=40,
                     content=text("articles 1 to 40"))),
    exchange("contractor fails for the rest", SESSION, 6, 4,
             message("failure", TASK, part=0, generation=1, units_done=28, reason=45,
                     text="terminology", content=text("articles 1 to 28"))),
    exchange("broker confirms the end", SESSION, 5, 6,
             message("inform", TASK, part=0, generation=1, state=4, reason=61, units_done=28,
                     paid_micro=10500000)),
    exchange("broker stops the work", SESSION, 5, 5,
             message("cancel", TASK, part=0, generation=1, reason=66, units_done=20,
                     paid_micro=8250000)),
    exchange("broker answers a stale report", SESSION, 6, 7,
             message("not-understood", TASK, part=0, generation=1, reason=89,
                     text="generation 2 is active")),
    exchange("broker does not know the session", SESSION, 0, 0,
             message("not-understood", NIL, reason=80)),
    exchange("contractor leaves", SESSION, 7, 6, message("bye", NIL)),
    exchange("broker goes down", SESSION, 7, 6, message("bye", NIL, reason=98)),
    exchange("client opens a session and announces", CLIENT, 1, 0,
             message("hello", NIL, name="platform", principal="acme", heartbeat_us=5000000),
             message("announce", NIL, key="articles-de", skill="translate.de", units=40,
                     ceiling_micro=30000000, window_us=20000000, due_us=3600000000,
                     content=text("40 support articles into German"))),
    exchange("client announces with every field", CLIENT, 3, 2,
             message("announce", NIL, key="k", skill="a", units=1, ceiling_micro=0, window_us=1,
                     due_us=1, deadline_at_us=4102444800000000, rounds=100, backoff_us=0, ack_us=1,
                     heartbeat_us=100000, priority=9, partial=3, kill_fee_ppm=1000000,
                     close_alone=1, fallback=3, contractor="kiln-2", again=TASK, content="")),
    exchange("broker agrees to an announcement", CLIENT, 2, 2,
             message("agree", TASK, key="articles-de", task_state=2, at_us=AT)),
    exchange("broker refuses an announcement", CLIENT, 2, 2,
             message("refuse", NIL, key="articles-de", reason=86, field="ceiling_micro",
                     text="ceiling_micro is -1 and must be 0 to 1000000000000000000")),
    exchange("broker tells the client a state", CLIENT, 3, 2,
             message("inform", TASK, task_state=3, state=1, reason=0, round=1, part=0,
                     generation=1, units_done=0, paid_micro=0, price_micro=15000000,
                     contractor="kiln-2")),
    exchange("broker passes a result on", CLIENT, 4, 2,
             message("inform-done", TASK, part=0, generation=1, units_done=40,
                     contractor="kiln-2", content=text("articles 1 to 40"))),
    exchange("broker tells the client the end", CLIENT, 5, 2,
             message("inform", TASK, task_state=6, state=3, reason=60, round=1, part=0,
                     generation=1, units_done=40, paid_micro=15000000, released_micro=15000000,
                     price_micro=15000000, contractor="kiln-2")),
    exchange("client cancels, closes, releases and queries", CLIENT, 3, 5,
             message("cancel", TASK, text="no longer needed"), message("close", TASK),
             message("release", TASK), message("query", TASK)),
    exchange("client announces with every further term", CLIENT, 4, 5,
             message("announce", NIL, key="bundle", skill="translate.de", units=40,
                     ceiling_micro=30000000, window_us=20000000, due_us=3600000000,
                     content=text("40 support articles into German"),
                     skills=["gpu.a100", "dataset.lock/wiki"],
                     after=(TASK + OTHER).replace("-", ""),
                     goal="release-2", evidence="result,words", accept_us=3600000000, split_max=4,
                     cover_all=1, improve=2, lead_only=1, invite_max=16, share_ppm=100000,
                     tier="large")),
    exchange("broker calls for proposals with every further term", SESSION, 7, 8,
             message("cfp", TASK, round=2, digest=DIGEST, skill="translate.de", units=40,
                     ceiling_micro=30000000, closes_at_us=AT + 20000000, due_us=3600000000,
                     ack_us=10000000, kill_fee_ppm=100000, partial=1, skills=["gpu.a100"],
                     goal="release-2", evidence="result,words", accept_us=3600000000, split_max=4,
                     cover_all=1, improve=2, lead_only=1, rank=2, tier="large")),
    exchange("broker that only stands by says who answers", SESSION, 0, 0,
             message("refuse", NIL, reason=108, address="tcp://10.0.0.7:7480 ipc:///run/t/b.ipc")),
    exchange("broker is asked for a task of the past", SESSION, 9, 8,
             message("refuse", TASK, reason=109)),
    exchange("contractor proposes a cost per unit", SESSION, 8, 7,
             message("propose", TASK, round=2, digest=DIGEST, cost_micro=250000, eta_us=3300000000,
                     capacity=20, estimate_micro=5000000)),
    exchange("contractor is done, with evidence and a result elsewhere", SESSION, 9, 8,
             message("inform-done", TASK, part=1, generation=1, units_done=20, cost_micro=4800000,
                     content=text("the key"), digest=DIGEST, evidence="words=18211\nlang=de",
                     size=1048576, tier="large")),
    exchange("broker shows a delivery to be decided", CLIENT, 6, 4,
             message("inform-done", TASK, part=1, generation=1, units_done=20, contractor="kiln-2",
                     digest=DIGEST, evidence="words=18211\nlang=de", size=1048576,
                     accept_us=3600000000)),
    exchange("client accepts, rejects and adopts", CLIENT, 5, 6,
             message("accept", TASK, part=1, generation=1),
             message("reject", TASK, part=2, generation=1, units_done=8, reason=45,
                     text="two articles are empty"),
             message("adopt", TASK, part=3, generation=1)),
    exchange("client and owner believe", CLIENT, 8, 6,
             message("believe", NIL, goal="release-2", reason=49, text="shipped"),
             message("believe", TASK, part=1, generation=2, units_done=3, reason=50)),
    exchange("broker tells a belief about a goal", CLIENT, 7, 9,
             message("inform", NIL, goal="release-2", reason=49, text="shipped",
                     closes_at_us=AT + 600000000)),
    exchange("operator holds, rates, counts and lets go", CLIENT, 10, 7,
             message("hold", NIL, contractor="kiln-2", skill="translate.de", reason=45,
                     deadline_at_us=AT + 86400000000, text="see ticket"),
             message("rate", NIL, skill="translate.de", price_micro=250000, ceiling_micro=2000000,
                     tier="large", share_ppm=20000),
             message("resource", NIL, skill="dataset.lock/wiki", units_done=1),
             message("release", NIL, contractor="kiln-2", skill="translate.de")),
    exchange("contractor asks whether its award stands", SESSION, 10, 8,
             message("query", TASK, part=1, generation=1)),
    exchange("peer says hello with what it was told is held", SESSION, 1, 0,
             message("hello", NIL, name="kiln-2", principal="kilns-ltd", heartbeat_us=5000000,
                     receipts=RECEIPT)),
    exchange("peer says hello with the instant at which its session began", SESSION, 1, 0,
             message("hello", NIL, name="kiln-2", principal="kilns-ltd", heartbeat_us=5000000,
                     at_us=AT)),
    exchange("broker welcomes and holds less", SESSION, 1, 1,
             message("welcome", NIL, broker="tenderd", at_us=AT, heartbeat_us=5000000,
                     receipts=RECEIPT[:20] + "0000000000000101")),
    exchange("integers of every size", SESSION, 1, 0,
             message("inform", TASK, units=1000000000, price_micro=1000000000000000000,
                     paid_micro=255, units_done=65535, released_micro=4294967295, round=128,
                     at_us=4102444800000000)),
    exchange("operators enrol a principal, an agent of it, and revoke another", SESSION, 11, 8,
             message("enrol", NIL, at_us=AT, principal="kilns-ltd", name="works", digest=DIGEST),
             message("enrol", NIL, at_us=AT, principal="kilns-ltd", contractor="kiln-2",
                     digest=DIGEST, skills=["translate.de", "translate.fr"]),
             message("enrol", NIL, at_us=AT, contractor="kiln-3", reason=112)),
]


def raw(name, frame, **expected):
    return {"name": name, "hex": frame.hex(), **expected}


def one(performative, body, conversation=bytes.fromhex(TASK.replace("-", ""))):
    return msgpack.packb([1, SESSION, 1, 0, [[performative, conversation, body]]],
                         use_bin_type=True)


BID = {24: 1, 25: bytes.fromhex(DIGEST), 27: 5, 28: 1}


def bid(**changes):
    keys = {"cost": 27, "eta": 28, "digest": 25, "text": 30, "round": 24}
    return one(7, {**BID, **{keys[name]: value for name, value in changes.items()}})


# A field at fault: the message is usable, the field is not present.
FAULTS = [
    raw("cost is NaN", bid(cost=float("nan")), field="cost_micro", reason="malformed"),
    raw("cost is infinite", bid(cost=float("inf")), field="cost_micro", reason="malformed"),
    raw("cost is a whole float", bid(cost=5.0), field="cost_micro", reason="malformed"),
    raw("cost is text", bid(cost="12 credits"), field="cost_micro", reason="malformed"),
    raw("cost is nil", bid(cost=None), field="cost_micro", reason="malformed"),
    raw("cost is true", bid(cost=True), field="cost_micro", reason="malformed"),
    raw("cost is an array", bid(cost=[1, [2]]), field="cost_micro", reason="malformed"),
    raw("cost is a map", bid(cost={1: {2: 3}}), field="cost_micro", reason="malformed"),
    raw("cost is 2^63", bid(cost=2 ** 63), field="cost_micro", reason="malformed"),
    raw("cost is below zero", bid(cost=-1), field="cost_micro", reason="out-of-range"),
    raw("cost is -2^63", bid(cost=-2 ** 63), field="cost_micro", reason="out-of-range"),
    raw("eta is zero", bid(eta=0), field="eta_us", reason="out-of-range"),
    raw("eta is text", bid(eta="soon"), field="eta_us", reason="malformed"),
    raw("cost and eta are bad", bid(cost=-1, eta="soon"), field="cost_micro",
        reason="out-of-range"),
    raw("digest has 31 bytes", bid(digest=bytes(31)), field="digest", reason="malformed"),
    raw("digest is text", bid(digest="a" * 32), field="digest", reason="malformed"),
    raw("text has a NUL", bid(text="a\0b"), field="text", reason="malformed"),
    raw("text is bin", bid(text=b"x"), field="text", reason="malformed"),
    raw("text has a lone surrogate", bid(text="XYZ").replace(b"\xa3XYZ", b"\xa3\xed\xa0\x80"),
        field="text", reason="malformed"),
    raw("text is not UTF-8", bid(text="XY").replace(b"\xa2XY", b"\xa2\xc3\x28"), field="text",
        reason="malformed"),
    raw("name has a space", one(1, {1: "a b", 2: "p", 3: 1000000}), field="name",
        reason="malformed"),
    raw("name has 65 bytes", one(1, {1: "a" * 65, 2: "p", 3: 1000000}), field="name",
        reason="out-of-range"),
    raw("heartbeat is beyond an hour", one(1, {1: "a", 2: "p", 3: 3600000001}),
        field="heartbeat_us", reason="out-of-range"),
    raw("skill is upper case", one(3, {4: ["Fire"], 5: 1}), field="skills", reason="malformed"),
    raw("65 skills", one(3, {4: [f"s{i}" for i in range(65)], 5: 1}), field="skills",
        reason="out-of-range"),
    raw("skills hold a list", one(3, {4: ["a", ["b"], "c"], 5: 1}), field="skills",
        reason="malformed"),
    raw("skills are text", one(3, {4: "a", 5: 1}), field="skills", reason="malformed"),
    raw("slots are 65536", one(3, {4: ["a"], 5: 65536}), field="slots", reason="out-of-range"),
    raw("reason has no row", one(8, {24: 1, 31: 999}), field="reason", reason="out-of-range"),
    raw("key is empty", one(4, {6: ""}), field="key", reason="malformed"),
    raw("units are zero", one(4, {8: 0}), field="units", reason="out-of-range"),
    raw("ceiling is beyond 10^18", one(4, {9: 10 ** 18 + 1}), field="ceiling_micro",
        reason="out-of-range"),
    raw("due is beyond ten years", one(4, {11: 3660 * 86400 * 10 ** 6 + 1}), field="due_us",
        reason="out-of-range"),
    raw("content is text", one(14, {33: 1, 32: 0, 37: 1, 23: "x"}), field="content",
        reason="malformed"),
]

# What a reader skips: the fields that it knows are there.
SKIPPED = [
    raw("an unknown key", one(7, {**BID, 127: [1, {2: 3}], 5000: "x", "word": None}),
        performative="propose", present=["round", "digest", "cost_micro", "eta_us"]),
    raw("a negative key", one(7, {**BID, -1: 1}), performative="propose",
        present=["round", "digest", "cost_micro", "eta_us"]),
    raw("receipts behind the messages", msgpack.packb(
        [1, SESSION, 1, 0, [[7, packed("ID", TASK), BID]], bytes.fromhex(RECEIPT)],
        use_bin_type=True), performative="propose", receipts=RECEIPT,
        present=["round", "digest", "cost_micro", "eta_us"]),
    raw("an unknown performative", one(120, {24: 1}), code=120, present=[]),
]

HEAD = msgpack.packb([1, SESSION, 1, 0, []], use_bin_type=True)
# Frames that are refused whole.
MALFORMED = [
    raw("nothing", b""),
    raw("half an exchange", HEAD[:-1]),
    raw("a byte after the end", HEAD + b"\xc0"),
    raw("a byte that begins nothing", b"\xc1"),
    raw("an array of 268435455 in five bytes", bytes.fromhex("dd0fffffff")),
    raw("arrays that promise, nested", bytes.fromhex("dd0fffffff") * 20),
    raw("a map of 2^32 - 1 pairs", bytes.fromhex("dfffffffff")),
    raw("a str of 2^32 - 1 bytes", bytes.fromhex("dbffffffff")),
    raw("a bin cut short", bytes.fromhex("95c410a0")),
    raw("an ext of 2^32 - 1 bytes", bytes.fromhex("c9ffffffff00")),
    raw("messages that promise", HEAD[:-1] + bytes.fromhex("dd0fffffff")),
    raw("nine arrays deep", bytes.fromhex("91" * 9 + "c0")),
    raw("a key twice", HEAD[:-1] + bytes.fromhex("919307c410" + "00" * 16 + "821b011b02")),
    raw("no array", msgpack.packb({1: 2})),
    raw("an array of 4", msgpack.packb([1, SESSION, 1, 0], use_bin_type=True)),
    raw("an array of 6", msgpack.packb([1, SESSION, 1, 0, [], 0], use_bin_type=True)),
    raw("a version in text", msgpack.packb(["1", SESSION, 1, 0, []], use_bin_type=True)),
    raw("a session of 15 bytes", msgpack.packb([1, SESSION[1:], 1, 0, []], use_bin_type=True)),
    raw("a session in str", msgpack.packb([1, "a" * 16, 1, 0, []], use_bin_type=True)),
    raw("first below zero", msgpack.packb([1, SESSION, -1, 0, []], use_bin_type=True)),
    raw("heard is a float", msgpack.packb([1, SESSION, 1, 0.0, []], use_bin_type=True)),
    raw("messages are a map", msgpack.packb([1, SESSION, 1, 0, {}], use_bin_type=True)),
]

# Messages that are none: each is answered, the one behind it is read.
NO_MESSAGES = [
    raw(name, msgpack.packb([1, SESSION, 1, 0, [body, [19, bytes(16), {}]]], use_bin_type=True))
    for name, body in [
        ("an integer", 5), ("an array of 2", [7, bytes(16)]),
        ("an array of 4", [7, bytes(16), {}, 0]),
        ("a performative in text", ["cfp", bytes(16), {}]),
        ("a performative of zero", [0, bytes(16), {}]), ("a conversation of nil", [7, None, {}]),
        ("a conversation in text", [7, "a" * 16, {}]),
        ("a body that is a list", [7, bytes(16), []]),
    ]
]



def proof(name, seed, broker_seed, question, nonce, peer, principal):
    """What is signed when a connection is proved, made by another library than the C code's."""
    key, broker = (nacl.signing.SigningKey(bytes([byte]) * 32) for byte in (seed, broker_seed))
    public, broker_public = bytes(key.verify_key), bytes(broker.verify_key)
    here = b"tender/here/v1" + (question or bytes(32)) + nonce + SESSION
    claim = b"tender/auth/v1" + nonce + broker_public + SESSION + b"".join(
        bytes([len(part)]) + part.encode() for part in (peer, principal))
    return {"name": name, "seed": (bytes([seed]) * 32).hex(),
            "broker_seed": (bytes([broker_seed]) * 32).hex(), "session": SESSION.hex(),
            "peer": peer, "principal": principal, "question": question.hex(),
            "challenge": (nonce + broker_public + broker.sign(here).signature).hex(),
            "proof": (public + key.sign(claim).signature).hex()}


PROOFS = [
    proof("a contractor's", 0xaa, 0xbb, bytes(range(32)), bytes(range(32, 64)), "kiln-2",
          "kilns-ltd"),
    proof("without a question, names of every size", 1, 2, b"", b"\xff" * 32, "a", "b" * 64),
]


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def number(value, size):
    return value.to_bytes(size, "big")


def leaf(task, turn, contractor, principal, cost, eta, capacity, nonce):
    """A bid as a leaf of its round's book, and what it is made of."""
    place = packed("ID", task) + number(turn, 4)
    names = b"".join(bytes([len(part)]) + part.encode() for part in (contractor, principal))
    who = sha(b"tender/who/v1\0", sha(b"who", nonce), place, names)
    salt = sha(b"what", nonce)
    asked = b"".join(number(value, 8) for value in (cost, eta, capacity))
    what = sha(b"tender/what/v1\0", salt, place, asked)
    return {"task": task, "round": turn, "contractor": contractor, "principal": principal,
            "cost_micro": cost, "eta_us": eta, "capacity": capacity, "nonce": nonce.hex(),
            "who": who.hex(), "salt": salt.hex(), "what": what.hex(),
            "leaf": sha(b"\0tender/bid/v1\0", who, what).hex()}


def split(count):
    return 1 << (count - 1).bit_length() - 1


def root(leaves):
    if len(leaves) == 1:
        return leaves[0]
    left = split(len(leaves))
    return sha(b"\1", root(leaves[:left]), root(leaves[left:]))


def path(leaves, at):
    if len(leaves) == 1:
        return []
    left = split(len(leaves))
    if at < left:
        return path(leaves[:left], at) + [root(leaves[left:])]
    return path(leaves[left:], at - left) + [root(leaves[:left])]


def book(name, bids, setter):
    """The book of a round, and what each bidder is shown; `setter`: whose cost is the price."""
    leaves = [bytes.fromhex(bid["leaf"]) for bid in bids]
    proofs = []
    for at in range(len(bids)):
        proof = [bytes([len(path(leaves, at))]), *path(leaves, at)]
        if setter is not None:
            bid = bids[setter]
            proof += [number(setter, 4), bytes.fromhex(bid["who"]),
                      *(number(bid[part], 8) for part in ("cost_micro", "eta_us", "capacity")),
                      bytes.fromhex(bid["salt"]),
                      bytes([len(path(leaves, setter))]), *path(leaves, setter)]
        proofs.append(b"".join(proof).hex())
    return {"name": name, "bids": bids, "book": root(leaves).hex(), "setter": setter,
            "proofs": proofs}


def bidders(count):
    return [leaf(TASK, 2, f"kiln-{at}", f"house-{at}", 1000000 + 7 * at, 60000000, at % 2,
                 bytes([at + 1]) * 16) for at in range(count)]


BOOKS = [
    book("one bid, and the ceiling is the price", bidders(1), None),
    book("two", bidders(2), 1),
    book("five", bidders(5), 3),
    book("a bid without a nonce among others", [*bidders(2), leaf(
        TASK, 2, "a", "b" * 64, 2 ** 63 - 1, 1, 0, bytes(16))], 2),
]

if __name__ == "__main__":
    json.dump({"exchanges": EXCHANGES, "faults": FAULTS, "skipped": SKIPPED,
               "malformed": MALFORMED, "no_messages": NO_MESSAGES, "proofs": PROOFS,
               "books": BOOKS},
              (HERE / "vectors.json").open("w"), indent=1, ensure_ascii=False)
    sys.stdout.write(f"{len(EXCHANGES)} exchanges, {len(FAULTS)} faults, "
                     f"{len(MALFORMED)} malformed\n")
