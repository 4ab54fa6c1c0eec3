#!/usr/bin/python3
"""Agents as processes: one that stops reading (G3), one in Python, and commands as contractors."""
import os, signal, subprocess, sys
from harness import CREDIT, HERE, MINUTE, SECOND, SystemTest, main, unique

PYTHON = [sys.executable, str(HERE / 'contractor.py')]


class Agents(SystemTest):
    def python_contractor(self, skill, *flags, url=None):
        name = unique('python')
        process = self.start(
            *PYTHON,
            '--url',
            url or self.broker.url,
            '--name',
            name,
            '--principal',
            f'{name}-ltd',
            '--skill',
            skill,
            *flags,
            stdout=subprocess.DEVNULL,
        )
        self.wait(
            lambda: self.sql.rows(
                f"select 1 from tender.contractor_record where contractor = '{name}'"
            ),
            f'{name} is enrolled',
        )
        return name, process

    def test_python_contractors_work_over_ipc_and_tcp(self):
        client = self.client()
        cheap, _ = self.python_contractor(
            self.skill, '--cost', 2 * CREDIT, '--text', 'günstig · cheap'
        )
        dear, _ = self.python_contractor(self.skill, '--cost', 3 * CREDIT, url=self.broker.tcp)
        priced_out, _ = self.python_contractor(self.skill, '--cost', 30 * CREDIT)
        task = client.announce(skill=self.skill, units=3)
        self.await_end(task, 'done')
        self.assertEqual(
            [(c['owner'], c['price'], c['units_done'], c['paid']) for c in self.commitments(task)],
            [(cheap, 3, 3, 3)],
        )
        self.assertEqual(
            {name: (b['status'], b['reason']) for name, b in self.bids(task).items()},
            {
                cheap: ('won', 'lowest-cost'),
                dear: ('lost', 'outbid'),
                priced_out: ('refused', 'too-little-pay'),
            },
        )
        result = self.wait(lambda: client.told(task, 'inform-done'), 'the result')[0]
        self.assertEqual(result.fields['content'], b'done')

    def test_G3_contractor_that_stops_reading_delays_nobody(self):
        client = self.client(10_000)
        name, process = self.python_contractor(self.skill, '--cost', 1, '--slots', 1000)
        others = [self.contractor(cost=cost * CREDIT, slots=1000) for cost in (1, 2)]
        self.ready(*others)
        process.send_signal(signal.SIGSTOP)
        # work of another skill runs as if it were not there; its own rounds close in their window
        quick = [
            self.contractor(skill=self.skill + '.quick', cost=cost * CREDIT, slots=1000)
            for cost in (1, 2)
        ]
        self.ready(*quick)
        keys = [
            client.say_announce(skill=self.skill, window_us=2 * SECOND, content=os.urandom(60_000))
            for _ in range(100)
        ]
        swift = [
            client.say_announce(skill=self.skill + '.quick', window_us=10 * MINUTE)
            for _ in range(100)
        ]
        self.wait(lambda: all(client.answers(key) for key in keys + swift), 'all are announced')
        self.wait(
            lambda: self.sql.value(
                f"select count(*) from tender.task "
                f"where skill in ('{self.skill}', '{self.skill}.quick') "
                f"and status = 'done'"
            )
            == 200,
            'all are done',
        )
        row = self.sql.row(
            f"""
            select coalesce(max(extract(epoch from a.awarded_at - r.closes_at))
                       filter (where t.skill = '{self.skill}'), 99) as after,
                   min(r.invited) filter (where t.skill = '{self.skill}.quick') as invited
            from tender.award a join tender.round r using (task_id, round)
            join tender.task t using (task_id)
            where t.skill in ('{self.skill}', '{self.skill}.quick')"""
        )
        self.assertLess(row['after'], 5)
        self.assertEqual(row['invited'], 2)
        self.assertEqual(
            self.sql.value(f"select count(*) from tender.commitment where owner = '{name}'"), 0
        )
        process.send_signal(signal.SIGCONT)
        again = client.announce(skill=self.skill)
        self.wait(
            lambda: self.sql.rows(
                f"select 1 from tender.task where task_id = '{again}' and status = 'done'"
            ),
            'it is done',
        )

    def command(self, *command, rate='0.5', **flags):
        name = unique('exec')
        options = [
            text for key, value in flags.items() for text in ('--' + key.replace('_', '-'), value)
        ]
        process = self.start(
            os.environ['TENDER'],
            'contractor',
            'exec',
            '--name',
            name,
            '--principal',
            f'{name}-ltd',
            '--skill',
            self.skill,
            '--rate',
            rate,
            *options,
            '--',
            *command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.wait(
            lambda: self.sql.rows(
                f"select 1 from tender.contractor_record where contractor = '{name}'"
            ),
            f'{name} is enrolled',
        )
        return name, process

    def test_command_is_a_contractor(self):
        client = self.client()
        name, process = self.command('tr', 'a-z', 'A-Z', slots=2, queue=1)
        tasks = [
            client.announce(
                skill=self.skill,
                units=4,
                close_alone=1,
                content=f'text {n}'.encode(),
                window_us=30 * SECOND,
            )
            for n in range(5)
        ]
        for n, task in enumerate(tasks):
            self.await_end(task, 'done')
            self.assertEqual(
                [(c['owner'], c['price']) for c in self.commitments(task)], [(name, 10)]
            )
            self.assertEqual(
                self.bids(
                    task, self.sql.value(f"select round from tender.task where task_id = '{task}'")
                )[name]['cost'],
                2,
            )
            result = self.wait(lambda: client.told(task, 'inform-done'), 'the result')[0]
            self.assertEqual(result.fields['content'], f'TEXT {n}'.encode())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 0)

    def test_command_that_fails_is_a_failure_and_the_next_has_the_task(self):
        client = self.client()
        failing, _ = self.command(
            'sh', '-c', 'cat >/dev/null; echo terrible >&2; exit 3', rate='0.1'
        )
        good, _ = self.command('cat', rate='0.2')
        task = client.announce(
            skill=self.skill, units=2, content=b'same', backoff_us=0, window_us=5 * SECOND
        )
        self.await_end(task, 'done')
        self.assertEqual(
            [(c['owner'], c['status']) for c in self.commitments(task)],
            [(failing, 'failed'), (good, 'fulfilled')],
        )
        result = self.wait(lambda: client.told(task, 'inform-done'), 'the result')[0]
        self.assertEqual(result.fields['content'], b'same')


if __name__ == '__main__':
    main()
