#!/usr/bin/python3
"""The Python peer reads and writes the golden bytes of tests/wire/vectors.json."""
import json, pathlib, unittest, uuid
import msgpack
import wire

VECTORS = json.loads((pathlib.Path(__file__).parent.parent / 'wire' / 'vectors.json').read_text())


def plain(field, value):
    return (
        str(uuid.UUID(bytes=value))
        if field == 'again'
        else value.hex()
        if isinstance(value, bytes)
        else value
    )


def value(field, plain):
    return bytes.fromhex(plain.replace('-', '')) if wire.TABLE[field][0] is bytes else plain


class Vectors(unittest.TestCase):
    def test_exchanges_are_read(self):
        for vector in VECTORS['exchanges']:
            with self.subTest(vector['name']):
                exchange = wire.decode(bytes.fromhex(vector['hex']))
                self.assertEqual(
                    (exchange.version, exchange.session.hex(), exchange.first, exchange.heard),
                    (vector['version'], vector['session'], vector['first'], vector['heard']),
                )
                self.assertEqual(
                    [
                        (
                            m.performative,
                            str(m.conversation),
                            {k: plain(k, v) for k, v in m.fields.items()},
                        )
                        for m in exchange.messages
                    ],
                    [
                        (m['performative'], m['conversation'], m['fields'])
                        for m in vector['messages']
                    ],
                )
                for message in exchange.messages:
                    self.assertEqual(
                        [wire.fault(k, v) for k, v in message.fields.items()],
                        [None] * len(message.fields),
                    )

    def test_exchanges_are_written(self):
        for vector in VECTORS['exchanges']:
            with self.subTest(vector['name']):
                messages = []
                for m in vector['messages']:
                    fields = {k: value(k, v) for k, v in m['fields'].items()}
                    messages.append(
                        wire.pack_message(
                            m['performative'],
                            uuid.UUID(m['conversation']),
                            **dict(sorted(fields.items(), key=lambda f: wire.KEYS[f[0]]))
                        )
                    )
                data = wire.pack_exchange(
                    bytes.fromhex(vector['session']),
                    vector['first'],
                    vector['heard'],
                    messages,
                    vector['version'],
                )
                # A reader may meet any integer encoding; a writer uses the shortest.
                if vector['name'] != 'integers of every size':
                    self.assertEqual(data.hex(), vector['hex'])
                self.assertEqual(wire.decode(data), wire.decode(bytes.fromhex(vector['hex'])))

    def test_faults(self):
        for vector in VECTORS['faults']:
            with self.subTest(vector['name']):
                (message,) = wire.decode(bytes.fromhex(vector['hex'])).messages
                faults = [
                    (wire.KEYS[k], k, wire.fault(k, v))
                    for k, v in message.fields.items()
                    if wire.fault(k, v)
                ]
                self.assertEqual(
                    min(faults, default=(0, None, None))[1:], (vector['field'], vector['reason'])
                )

    def test_unknown_is_skipped(self):
        for vector in VECTORS['skipped']:
            with self.subTest(vector['name']):
                (message,) = wire.decode(bytes.fromhex(vector['hex'])).messages
                self.assertEqual(
                    message.performative, vector.get('performative', vector.get('code'))
                )
                if 'performative' in vector:
                    self.assertEqual(sorted(message.fields), sorted(vector['present']))

    def test_malformed_is_refused(self):
        for vector in VECTORS['malformed']:
            with self.subTest(vector['name']), self.assertRaises(wire.Malformed):
                wire.decode(bytes.fromhex(vector['hex']))

    def test_what_is_no_message_does_not_hide_the_next(self):
        for vector in VECTORS['no_messages']:
            with self.subTest(vector['name']):
                messages = wire.decode(bytes.fromhex(vector['hex'])).messages
                self.assertIsNone(messages[0])
                self.assertEqual(messages[1].performative, 'query')

    def test_limits(self):
        head = bytes.fromhex('95 01 c410') + bytes(16) + b'\1\0'
        message = wire.pack_message('query')
        self.assertEqual(len(wire.decode(head + b'\xdc\x10\x00' + message * 4096).messages), 4096)
        for data in (
            head + b'\xdc\x10\x01' + message * 4097,
            head + b'\x91\xc6\x00\x10\x00\x00' + bytes(1 << 20),
            head + b'\x91\xdd' + (262144).to_bytes(4, 'big') + b'\xc0' * 262144,
        ):
            with self.assertRaises(wire.Malformed):
                wire.decode(data)

    def test_every_prefix_is_refused(self):
        data = bytes.fromhex(VECTORS['exchanges'][3]['hex'])
        for length in range(len(data)):
            with self.assertRaises(wire.Malformed):
                wire.decode(data[:length])
        self.assertEqual(msgpack.packb(5), b'\5')


if __name__ == '__main__':
    unittest.main()
