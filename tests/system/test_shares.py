"""Goal: several brokers share the shards of a ledger, and every task ends, whichever of them comes
or goes. Method: three real brokers on a ledger of six shards; clients of many principals announce
at whoever holds their shard; one broker is killed, one ends in order, and they come back.
"""
import hashlib, os, subprocess, uuid
from harness import CREDIT, SECOND, Broker, Contractor, SystemTest, main, unique

SHARDS = 6
SHARD_NAMES = [f'shard {shard}' for shard in range(SHARDS)]


def shard_of(principal):
    digest = hashlib.sha256(b'tender/shard/v1' + principal.encode()).digest()
    return int.from_bytes(digest[:8], 'big') % SHARDS


class Several(SystemTest):
    """Three brokers, six shards."""

    more_options = ('--lease', '2s')
    broker_options = ('--broker', 'one', *more_options)

    @classmethod
    def setUpClass(cls):
        cls.tender('ledger', 'migrate', '--shards', SHARDS, check=0)
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.brokers = {'one': self.broker}
        for name in ('two', 'three'):
            directory = self.directory / unique(name)
            self.brokers[name] = Broker(directory, '--broker', name, *self.more_options).start()
        self.await_shares(one=2, two=2, three=2)

    def tearDown(self):
        super().tearDown()
        for name in ('two', 'three'):
            self.brokers[name].stop()
        self.await_shares(one=6)
        for name, broker in self.brokers.items():
            log = broker.log.read_text()
            self.assertNotIn('event=change-cut', log, name)  # a change comes to its end
            self.assertNotIn('event=reign-lost', log, name)  # and writes nothing behind it

    def holders(self):
        rows = self.sql.rows("select shard, broker from tender.broker where state = 'reigns'")
        return {row['shard']: row['broker'] for row in rows}

    def await_shares(self, **shares):
        def are_so():
            held = list(self.holders().values())
            return {name: held.count(name) for name in set(held)} == shares

        self.wait(are_so, f'shares are {shares}')

    def principal_of(self, shard):
        return next(p for p in iter(lambda: unique('house'), None) if shard_of(p) == shard)

    def client_of(self, shard):
        client = self.client(principal=self.principal_of(shard))
        client.url = self.brokers[self.holders()[shard]].url
        return client

    def workers(self):
        """Two contractors at each broker: one whose broker dies before it took an award is out."""
        workers = []
        for name, broker in [*self.brokers.items(), *self.brokers.items()]:
            worker = self.contractor(unique(f'worker-{name}'), cost=1 * CREDIT, slots=100)
            worker.url = broker.url
            workers.append(worker)
        self.ready(*workers)
        return workers

    def announce(self, window_us):
        tasks = []
        for shard in range(SHARDS):
            client = self.client_of(shard)
            task = client.announce(skill=self.skill, window_us=window_us, close_alone=1)
            self.assertEqual(task.bytes[-1] % SHARDS, shard)
            tasks.append(task)
        return tasks

    def check_done(self, tasks):
        for task in tasks:
            self.await_end(task, 'done')
            states = [c['status'] for c in self.commitments(task)]
            self.assertEqual(states.count('fulfilled'), 1, states)


class Shares(Several):
    def test_every_shard_is_served_by_whoever_holds_it(self):
        self.workers()
        tasks = self.announce(2 * SECOND)
        self.check_done(tasks)
        self.assertEqual(set(self.holders()), set(range(SHARDS)))
        for task in tasks:
            row = self.sql.row(f"select entries, faults from tender.verify_task('{task}')")
            self.assertGreater(row['entries'], 3)
            self.assertEqual(row['faults'], 0)
            self.tender('ledger', 'verify', task, check=0)
        house = self.sql.row(f"select faults, head from tender.verify_task('{uuid.UUID(int=0)}')")
        self.assertEqual((house['faults'], len(house['head'].split())), (0, SHARDS))
        said = self.tender('ledger', 'verify', check=0).stdout.splitlines()
        self.assertEqual([line.split(':')[0] for line in said], SHARD_NAMES)

    def test_64_writers_overspend_neither_a_division_nor_its_teams(self):
        """Budgets in budgets: all three levels are drawn on at once, at all brokers."""
        self.workers()
        division = self.principal_of(0)
        teams = [self.principal_of(shard) for shard in range(SHARDS)]
        self.fund(division, 60)
        self.tender('account', 'allot', division, teams[1], '0.5', check=0)
        self.assertEqual(self.account(teams[1])['available'], 0.5)
        self.tender('account', 'allot', teams[1], division, '0.500001', check=4)
        writers = []
        for number in range(64):
            team, other = teams[number % SHARDS], teams[(number + 1) % SHARDS]
            allot = "select tender.allot('{}', '{}', {});"
            announce = (
                "select tender.announce(p_principal => '{}', p_skill => '{}', p_units => 1, "
                "p_ceiling => 1.5, p_window => '2 s', p_due => '1 h', p_rounds => 1);"
            )
            script = (
                allot.format(division, team, 2)
                + announce.format(team, self.skill)
                + allot.format(team, other, 1)
                + announce.format(other, self.skill)
                + allot.format(team, division, 0.5)
                + allot.format(division, other, 1)
            )
            writers.append(
                subprocess.Popen(
                    ['psql', '-qAtX', '-d', os.environ['TENDER_DATABASE'], '-c', script],
                    stdout=subprocess.DEVNULL,
                )
            )
        self.wait(lambda: all(w.poll() is not None for w in writers), 'the writers')
        self.assertEqual([w.returncode for w in writers], [0] * 64)
        open_ones = """select 1 from tender.request where answered_at is null union all
            select 1 from tender.allotment where status in ('asked', 'taken', 'returning') union all
            select 1 from tender.task where ended_at is null"""
        self.wait(lambda: not self.sql.rows(open_ones), 'the end of it')
        ours = ', '.join(f"'{name}'" for name in [division, *teams])
        sums = self.sql.row(
            f"""select sum(available) as available, sum(spent) as spent, min(available) as least,
                sum(reserved) as reserved from tender.account where principal in ({ours})"""
        )
        self.assertEqual(sums['available'] + sums['spent'], 60)
        self.assertEqual(sums['reserved'], 0)
        self.assertGreaterEqual(sums['least'], 0)
        self.assertGreater(sums['spent'], 0)
        allotted = self.sql.rows(
            f"""select a.principal, a.available + a.spent as has, (select coalesce(sum(
                    case when m.to_principal = a.principal then m.credits else -m.credits end), 0)
                from tender.allotment m where m.status = 'given'
                    and a.principal in (m.from_principal, m.to_principal)) as given
            from tender.account a where a.principal in ({ours})"""
        )
        for row in allotted:
            self.assertEqual(row['has'] - row['given'], 60 if row['principal'] == division else 0)
        refused = self.sql.value("select count(*) from tender.allotment where status = 'refused'")
        self.assertGreater(refused, 0, 'more was asked for than there was')

    def test_client_at_another_broker_is_told_where(self):
        holders = self.holders()
        shard = next(s for s in holders if holders[s] == 'three')
        client = self.client(principal=self.principal_of(shard))
        three = self.brokers['three']

        def is_told():
            key = client.say_announce(skill=self.skill)
            self.wait(lambda: client.answers(key), 'an answer')
            answer = client.answers(key)[-1]
            self.assertEqual((answer.performative, answer.fields['reason']), ('refuse', 108))
            # Without an address it has not looked yet, who has what it gave up.
            return answer.fields.get('address') == f'{three.url} {three.tcp}'

        self.wait(is_told, 'it says where')

    def test_shards_of_a_broker_that_was_killed_go_to_the_others_and_come_back(self):
        self.workers()
        tasks = self.announce(10 * SECOND)
        self.brokers['three'].kill()
        self.await_shares(one=3, two=3)
        tasks += self.announce(2 * SECOND)
        self.brokers['three'].start()
        self.await_shares(one=2, two=2, three=2)
        tasks += self.announce(2 * SECOND)
        self.check_done(tasks)

    def most_at_once(self, name):
        """Commitments that a contractor ever had at one time."""
        return self.sql.value(
            f"""select coalesce(max(n), 0) from (select (select count(*) from tender.commitment o
            where o.owner = c.owner and o.awarded_at <= c.awarded_at
                and coalesce(o.ended_at, 'infinity') > c.awarded_at) as n
            from tender.commitment c where c.owner = '{name}') t"""
        )

    def test_programs_know_all_brokers_and_keep_to_their_slots(self):
        # nng 1.5 leaves a connection behind that is being made when its socket closes.
        tender = ['env', 'ASAN_OPTIONS=detect_leaks=0', os.environ['TENDER']]
        urls = ','.join(broker.url for broker in self.brokers.values())
        names = [unique('prog') for _ in range(3)]
        offer = ['--skill', self.skill, '--slots', '1', '--queue', '0', '--eta-per-unit', '10s']
        terms = ['-s', self.skill, '-u', '1', '-c', '5', '-w', '2s', '-d', '60s', '--rounds', '100']
        payers = [self.principal_of(shard) for shard in range(SHARDS)]
        announcers = []
        for payer in payers:
            self.fund(payer, 100)
        for name in names:
            self.start(
                *tender, 'contractor', 'exec', '--url', urls, '--name', name,
                '-p', f'{name}-ltd', *offer, '--rate', '1', '--', 'cat',
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )

        def announce(count):
            for payer in count * payers:
                with open(self.directory / f'{unique("announcer")}.log', 'w') as log:
                    announcer = self.start(
                        *tender, 'announce', '--url', urls, '-p', payer, *terms,
                        '--wait', '--timeout', '300s', stdout=log, stderr=log,
                    )
                announcers.append((announcer, log.name))

        announce(2)
        self.brokers['three'].kill()
        announce(1)
        self.await_shares(one=3, two=3)
        self.brokers['three'].start()
        self.await_shares(one=2, two=2, three=2)
        announce(1)
        self.wait(lambda: all(a.poll() is not None for a, _ in announcers), 'all are told', 300)
        said = [open(log).read() for a, log in announcers if a.returncode != 0]
        self.assertEqual(said, [])
        done = f"select count(*) from tender.task where skill = '{self.skill}'"
        self.assertEqual(self.sql.value(f"{done} and status = 'done'"), 4 * SHARDS)
        self.assertEqual(self.sql.value(done), 4 * SHARDS)
        self.assertEqual({self.most_at_once(name) for name in names}, {1})

    def test_broker_that_ends_in_order_hands_its_shards_over(self):
        self.workers()
        tasks = self.announce(10 * SECOND)
        self.assertEqual(self.brokers['two'].stop(), 0)
        self.await_shares(one=3, three=3)
        self.check_done(tasks)
        self.brokers['two'].start()
        self.await_shares(one=2, two=2, three=2)

    def test_what_operators_say_holds_in_every_shard(self):
        self.tender('rate', 'set', self.skill, '0.5', '--threshold', '2', '--share', '0%', check=0)
        self.workers()
        tasks = self.announce(2 * SECOND)
        self.check_done(tasks)
        for task in tasks:
            self.assertIn('assigned', [e['kind'] for e in self.entries(task)])
        rates = self.sql.rows(f"select rate from tender.rate where skill = '{self.skill}'")
        self.assertEqual([row['rate'] for row in rates], [0.5])


class LongLeases(Several):
    """Nothing here may wait for a lease to run out."""

    more_options = ('--lease', '600s')
    broker_options = ('--broker', 'one', *more_options)

    def test_broker_that_ended_is_counted_no_more(self):
        self.assertEqual(self.brokers['two'].stop(), 0)
        self.await_shares(one=3, three=3)
        self.brokers['two'].start()
        self.await_shares(one=2, two=2, three=2)


class Caps(Several):
    more_options = ('--lease', '2s', '--awards-per-principal', str(SHARDS))
    broker_options = ('--broker', 'one', *more_options)

    def test_what_a_principal_owes_is_capped_over_all_brokers(self):
        hoarders, rivals = [], []
        for broker in self.brokers.values():
            for kind, cost, all_of in (('hoarder', 1, hoarders), ('rival', 2, rivals)):
                options = {'on_award': Contractor.acknowledge} if kind == 'hoarder' else {}
                worker = self.contractor(kind, cost=cost, slots=100, principal=kind, **options)
                worker.url = broker.url
                all_of.append(worker)
        self.ready(*hoarders, *rivals)
        tasks = [task for _ in range(3) for task in self.announce(2 * SECOND)]
        awarded = f"""select c.principal, get_byte(uuid_send(t.task_id), 15) % {SHARDS} as shard
            from tender.commitment c join tender.task t using (task_id)
            where t.skill = '{self.skill}'"""
        self.wait(lambda: len(self.sql.rows(awarded)) == len(tasks), 'every task is awarded')
        rows = self.sql.rows(awarded)
        owed = [row['shard'] for row in rows if row['principal'] == 'hoarder']
        self.assertEqual(sorted(owed), list(range(SHARDS)))  # a part of the cap in each shard
        reasons = self.sql.rows(
            "select distinct reason from tender.bid where principal = 'hoarder' and status <> 'won'"
        )
        self.assertLessEqual({row['reason'] for row in reasons}, {'limit-reached'})


if __name__ == '__main__':
    main()
