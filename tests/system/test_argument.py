#!/usr/bin/python3
"""Goal: tender verify award catches an auctioneer that cheats. Method: an honest auction of six
bids, in which each cheat is written into the ledger by a superuser, one after the other: whoever
makes the argument anew names the claim that does not hold.
"""
import json
import os
from harness import CREDIT, MINUTE, SECOND, SystemTest, main

RANKED = 'every bid is ranked, and nothing that was not bid'
ORDER = 'the order is that of cost, then eta, then the draw'
ONE_EACH = 'of each root principal one bid counts'
ROOT = "each bid is its root principal's"
REASONS = 'who does not count has a reason that is so'
CEILING = 'nobody counts who asks for more than the ceiling'
CHAIN = "every entry of the task's chain follows from the one before it"
WON = ' won: the first of the order, or the next when those before it broke off'
PRICE = ' is paid the lowest cost behind it, or else the ceiling'
BOOK = 'the book that bidders have the root of is of every bid, in their order'
BOUNDS = ' is paid no less than its cost and no more than the ceiling'


class Argument(SystemTest):
    def play(self):
        """Names in the order of their ranks; the last three do not count."""
        first = self.contractor(cost=2 * CREDIT)
        twins = [self.contractor(cost=4 * CREDIT, eta_us=MINUTE) for _ in range(2)]
        sibling = self.contractor(cost=3 * CREDIT, principal=first.principal)
        nephew = self.contractor(cost=7 * CREDIT // 2)
        dear = self.contractor(cost=31 * CREDIT)
        key = self.tender('key', 'show', os.environ['TENDER_KEY'], check=0).stdout.strip()
        self.tender('principal', 'add', first.principal, '--key', key, check=0)
        below = ['--parent', first.principal]
        self.tender('principal', 'add', nephew.principal, '--key', key, *below, check=0)
        workers = [first, *twins, sibling, nephew, dear]
        self.ready(*workers)
        task = self.client().announce(skill=self.skill, window_us=20 * SECOND)
        self.await_end(task, 'done')
        (award,) = self.entries(task, 'awarded')
        names = [rank['contractor'] for rank in award['ranks']]
        self.assertEqual(names[0], first.name)
        return task, names

    def write(self, old, new):
        self.sql.run(
            f"""set session_replication_role = replica;
            update tender_ledger.entry_row set body = replace(body, $t${old}$t$, $t${new}$t$),
                next_body = replace(next_body, $t${old}$t$, $t${new}$t$)"""
        )

    def faults(self, task):
        rows = self.sql.rows(f"select claim, holds from tender.verify_award('{task}')")
        self.assertGreater(len(rows), 10)
        return {row['claim'] for row in rows if row['holds'] is False}

    def cheat(self, task, kind, change, *claims, about=''):
        """Writes what `change` makes of the entry `about` somebody: the claims do not hold then."""
        old = self.sql.value(
            f"""select body from tender_ledger.entry where task_id = '{task}' and kind = {kind}
            and position('"{about}' in body) > 0"""
        )
        body = json.loads(old)
        change(body)
        new = json.dumps(body, separators=(',', ':'), ensure_ascii=False)
        self.write(old, new)
        try:
            self.assertEqual(self.faults(task), {CHAIN, *claims})
            said = self.tender('verify', 'award', task, check=1)
            for claim in claims:
                self.assertRegex(said.stdout, f'- NOT SO: round 1: {claim}')
        finally:
            self.write(new, old)
        self.assertEqual(self.faults(task), set())

    def test_each_cheat_is_found_and_named(self):
        task, names = self.play()
        first, second, third = names[:3]
        said = self.tender('verify', 'award', task, check=0).stdout
        self.assertNotIn('NOT SO', said)
        self.assertIn('same-principal', said)

        def phantom(body):
            body['ranks'].insert(1, dict(body['ranks'][1], contractor='phantom'))

        def dropped(body):
            body['ranks'] = [r for r in body['ranks'] if r['contractor'] != third]

        def swapped(body):
            ranks = body['ranks']
            ranks[1]['contractor'], ranks[2]['contractor'] = third, second

        def friend(body):
            body['contractor'] = second

        def at(price):
            return lambda body: body.update(price_micro=price * CREDIT)

        def unlisted(body):
            body['bids'] -= 1

        def forged(body):
            body['book'] = body['book'][::-1]

        def said_by(name, **fields):
            def change(body):
                next(a for a in body['answers'] if a['contractor'] == name).update(fields)

            return change

        self.cheat(task, 4, phantom, RANKED)
        self.cheat(task, 4, dropped, RANKED)
        self.cheat(task, 4, swapped, ORDER)
        self.cheat(task, 4, friend, second + WON)  # at its twin's cost
        self.cheat(task, 4, at(3), first + PRICE)
        self.cheat(task, 4, at(9), first + PRICE)
        self.cheat(task, 4, at(40), first + PRICE, first + BOUNDS)
        self.cheat(task, 4, unlisted, BOOK)
        self.cheat(task, 4, forged, BOOK)
        owner = self.sql.value(f"select principal from tender.award where task_id = '{task}'")
        self.cheat(task, 3, said_by(second, principal=owner), ONE_EACH, BOOK, about=second)
        self.cheat(task, 3, said_by(second, eta_us=2 * MINUTE), ORDER, BOOK, about=second)
        self.cheat(task, 3, said_by(third, cost_micro=31 * CREDIT), CEILING, BOOK, about=third)
        self.cheat(task, 3, said_by(names[3], cost_micro=1 * CREDIT), REASONS, BOOK, about=names[3])
        nephew = names[4]
        self.cheat(task, 3, said_by(second, root=owner), ROOT, ONE_EACH, about=second)
        self.cheat(task, 3, said_by(nephew, root='another'), ROOT, REASONS, about=nephew)


if __name__ == '__main__':
    main()
