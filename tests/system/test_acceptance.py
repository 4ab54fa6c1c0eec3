#!/usr/bin/python3
"""Deliveries: evidence, a sample, the client's decision, and late results that are adopted."""
import hashlib, json, os, uuid
from harness import CREDIT, HOUR, SECOND, SystemTest, main


def offset(task, generation, head, size, sample):
    text = b'tender/evidence/v1' + uuid.UUID(str(task)).bytes + bytes(4)
    digest = hashlib.sha256(text + generation.to_bytes(4, 'big') + head).digest()
    return int.from_bytes(digest[:8], 'big') % (size - sample + 1)


class Acceptance(SystemTest):
    def await_delivery(self, task):
        return self.wait(
            lambda: self.sql.rows(f"select * from tender.delivery where task_id = '{task}'"),
            'a delivery',
        )[0]

    def deliver(self, content, **fields):
        def act(contractor, award):
            contractor.report('inform-done', award, content=content, **fields)

        return act

    def test_a_client_decides_by_the_evidence_and_a_sample_that_the_chain_draws(self):
        content = os.urandom(40000)
        client = self.client()
        act = self.deliver(content, evidence='words=7\nlanguage=de')
        self.ready(*[self.contractor(cost=c * CREDIT, on_award=act) for c in (2, 3)])
        task = client.announce(
            skill=self.skill, accept_us=HOUR, evidence='result,words', content=b'x'
        )
        row = self.await_delivery(task)
        self.assertEqual(
            (row['status'], row['size'], row['sha256'], row['evidence']),
            (
                *('pending', 40000, hashlib.sha256(content).hexdigest()),
                {'words': '7', 'language': 'de'},
            ),
        )
        told = self.wait(lambda: client.told(task, 'inform-done'), 'the delivery is told')[0].fields
        head = self.sql.value(
            f"""select encode(e.hash, 'hex') from tender_ledger.entry e
            join tender_ledger.entry d on d.task_id = e.task_id and d.number = e.number + 1
            where e.task_id = '{task}' and d.kind = 15"""
        )
        at = offset(task, 1, bytes.fromhex(head), 40000, 1024)
        self.assertEqual(told['content'], content[at : at + 1024])
        self.assertEqual(told['evidence'], 'words=7\nlanguage=de')
        self.assertEqual(told['digest'], hashlib.sha256(content).digest())
        self.assertLessEqual(told['accept_us'], HOUR)
        self.assertEqual(self.sql.value(f"select tender.result('{task}', 1)"), None)
        self.assertEqual(client.ask('cancel', task).fields['reason'], 106)
        self.assertEqual(client.ask('accept', task, part=0, generation=1).performative, 'agree')
        self.await_end(task, 'done')
        self.wait(lambda: len(client.told(task, 'inform-done')) == 2, 'the content is told')
        self.assertEqual(client.told(task, 'inform-done')[1].fields['content'], content)
        file = self.directory / 'result'
        self.tender('result', f'{task}/1', '--file', file, check=0)
        self.assertEqual(file.read_bytes(), content)
        self.assertEqual(self.await_delivery(task)['status'], 'accepted')

    def test_a_completion_without_the_evidence_is_refused_and_unpaid_G1(self):
        client, said = self.client(), []

        def act(contractor, award):
            contractor.report('inform-done', award, content=b'', evidence='words=7')
            said.append(award)

        contractor = self.contractor(cost=CREDIT, on_award=act)
        self.ready(contractor)
        task = client.announce(
            skill=self.skill, evidence='result,words', close_alone=1, due_us=3 * SECOND, rounds=1
        )
        self.wait(lambda: contractor.got('not-understood', task), 'the refusal')
        refusal = contractor.got('not-understood', task)[0].fields
        self.assertEqual((refusal['reason'], refusal['field']), (100, 'result'))
        self.await_end(task, 'unallocated')
        (commitment,) = self.commitments(task)
        self.assertEqual((commitment['status'], commitment['paid']), ('lapsed', 0))

    def test_a_rejection_pays_accepted_units_and_is_counted_for_both(self):
        client = self.client()
        first = self.contractor(cost=2 * CREDIT, on_award=self.deliver(b'half good'))
        second = self.contractor(
            on_cfp=lambda c, m: c.bid(m, m.fields['units'] * CREDIT), on_award=self.deliver(b'good')
        )
        self.ready(first, second)
        task = client.announce(
            skill=self.skill, units=4, accept_us=HOUR, close_alone=1, content=b'x'
        )
        self.await_delivery(task)
        self.tender(
            *('reject', f'{task}/1', '--reason', 'quality-check', '--units', '3'),
            *('--text', 'one is missing'),
            check=0,
        )
        self.wait(lambda: second.awards, 'the rest is awarded')
        self.assertEqual(second.awards[0].fields['units'], 1)
        rejected = self.commitments(task)[0]
        self.assertEqual(
            (rejected['status'], rejected['reason'], rejected['units_done'], rejected['paid']),
            ('failed', 'rejected', 3, 3),
        )
        late = self.sql.row(f"select * from tender.late_result where task_id = '{task}'")
        digest = hashlib.sha256(b'half good').hexdigest()
        self.assertEqual((late['units'], late['size'], late['sha256']), (4, 9, digest))
        again = self.tender('accept', f'{task}/1')
        self.assertEqual(again.returncode, 4, again.stderr)
        self.wait(
            lambda: self.sql.value(
                f"select count(*) from tender.delivery where task_id = '{task}'"
            )
            == 2,
            'the rest is delivered',
        )
        listed = json.loads(self.tender('deliveries', '-o', 'json', check=0).stdout)
        self.assertIn(f'{task}/2', [row['commitment_id'] for row in listed])
        self.tender('accept', task, check=0)
        self.await_end(task, 'done')

        def told():
            return [m.fields.get('content') for m in client.told(task, 'inform-done')]

        self.wait(lambda: b'good' in told(), 'the accepted result is told')
        self.assertNotIn(b'half good', told())
        record = self.sql.row(
            f"select * from tender.client_record where principal = '{client.principal}'"
        )
        self.assertEqual(
            (record['delivered'], record['accepted'], record['rejected']), (2, 1, 1)
        )
        self.assertEqual(
            self.sql.value(
                f"select rejected from tender.contractor_record where contractor = '{first.name}'"
            ),
            1,
        )

    def test_silence_accepts_also_over_a_restart(self):
        client = self.client()
        contractors = [
            self.contractor(cost=c * CREDIT, on_award=self.deliver(b'result')) for c in (2, 3)
        ]
        self.ready(*contractors)
        task = client.announce(skill=self.skill, accept_us=4 * SECOND)
        self.await_delivery(task)
        self.broker.kill()
        self.broker.start()
        self.await_end(task, 'done')
        self.assertEqual(self.await_delivery(task)['status'], 'silence')
        (commitment,) = self.commitments(task)
        self.assertEqual((commitment['reason'], commitment['paid']), ('accepted-by-silence', 3))
        self.wait(
            lambda: any(m.fields.get('content') == b'result' for m in client.log if m.fields),
            'the result is told',
        )

    def test_a_late_result_is_adopted_while_its_round_is_open(self):
        client = self.client()
        late, other = [
            self.contractor(cost=c * CREDIT, on_award=lambda c, m: c.acknowledge(m)) for c in (2, 3)
        ]
        self.ready(late, other)
        task = client.announce(skill=self.skill, units=4, due_us=SECOND, window_us=3600 * SECOND)
        self.wait(lambda: late.awards, 'the award')
        other.on_cfp = None
        self.wait(lambda: len(self.entries(task, 'opened')) == 2, 'the next round')
        late.report('failure', late.awards[0], 3, reason=47, content=b'three of four')
        self.wait(
            lambda: any('size' in m.fields for m in client.told(task)), 'the late result is told'
        )
        row = self.sql.row(f"select * from tender.late_result where task_id = '{task}'")
        self.assertEqual((row['commitment_id'], row['units'], row['size']), (f'{task}/1', 3, 13))
        self.assertEqual(self.tender('result', f'{task}/1').returncode, 4)
        self.tender('adopt', f'{task}/1', check=0)
        self.assertEqual(self.tender('adopt', f'{task}/1').returncode, 4)
        opened = self.wait(
            lambda: len(self.entries(task, 'opened')) == 3 and self.entries(task, 'opened')[2],
            'what is left is announced',
        )
        self.assertEqual(opened['units'], 1)
        self.assertEqual(self.tender('result', f'{task}/1', check=0).stdout, 'three of four')
        row = self.sql.row(f"select * from tender.late_result where task_id = '{task}'")
        self.assertEqual((row['adopted_units'], float(row['adopted_paid'])), (3, 2.25))
        self.assertEqual(client.ask('cancel', task).performative, 'agree')
        self.assertEqual(float(self.await_end(task)['paid']), 2.25)

    def test_a_program_leaves_its_evidence_in_a_file(self):
        client = self.client()
        place = self.directory / f'{self.skill}-evidence'
        place.mkdir()
        name = f'{self.skill}-exec'
        script = 'tr a-z A-Z; printf "words=2\\n" > "$TENDER_EVIDENCE"'
        self.start(
            *('env', f'TMPDIR={place}', os.environ['TENDER'], 'contractor', 'exec', '--name', name),
            *('--principal', 'typists', '--skill', self.skill),
            *('--rate', '1', '--', 'sh', '-c', script),
        )
        terms = dict(skill=self.skill, close_alone=1, content=b'two words')
        task = client.announce(evidence='result,words', **terms)
        self.await_end(task, 'done')
        told = self.wait(lambda: client.told(task, 'inform-done'), 'the result is told')[-1].fields
        self.assertEqual((told['content'], told['evidence']), (b'TWO WORDS', 'words=2\n'))
        lacking = client.announce(evidence='result,pages', rounds=1, **terms)
        self.await_end(lacking, 'unallocated')
        self.assertEqual(self.commitments(lacking)[0]['status'], 'failed')
        self.assertEqual(list(place.iterdir()), [])


if __name__ == '__main__':
    main()
