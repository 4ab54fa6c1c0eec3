#!/usr/bin/python3
"""What others write is shown and never steers: all screens of the command, over hostile text."""
import os, pty, re, subprocess, unicodedata
from harness import CREDIT, HOUR, LIMIT, SystemTest, main
from wire import NIL

TEXTS = {
    'moves': '\x1b[2J\x1b[31m\x1b]0;owned\x07\x9b1m\x7f\b\r\x01\x02\u0081'
    'first\nlevel=info event=award contractor=kiln-9\n| kiln-9 | won |\t"",',
    'unseen': '\u202e\u2066evil\u2069\u200f\u061c\u2028\u2029'
    'a\u200bb\u200dc\u00add\ufeffe\U000e0041',
    'code': '"},"cost_micro":0,"state":"won","x":{"'
    "'; drop schema tender; -- %s%n%9999d{0.__class__}",
    'zalgo': 'Z' + '\u0334\u0335\u0336\u0337' * 500,
}
OF_A_TASK = ('task', 'explain', 'ledger entries', 'ledger verify')
# Asked for below, in the course of a task.
DONE = {'accept', 'account fund', 'adopt', 'announce', 'believe', 'cancel', 'close', 'goal'}
DONE |= {'hold', 'rate set', 'reject', 'release', 'resource set', 'result', 'watch'}
# psql has screens of its own, an exec's are its program's; the others say nothing that peers wrote.
OTHERS = {'psql', 'contractor exec', 'replay', 'ledger migrate', 'ledger check', 'ledger archive'}
OTHERS |= {'verify', 'ledger checkpoint', 'ledger consistency', 'ledger prove'}


def steers(text):
    """The characters that must not reach a terminal, but for the ends of lines."""
    unsafe = ('Cc', 'Cf', 'Zl', 'Zp', 'Cs')
    return [repr(c) for c in text if unicodedata.category(c) in unsafe and c != '\n']


class Texts(SystemTest):
    def shown(self, *command, check=None):
        for form in ('table', 'json', 'csv'):
            done = self.tender(*command, '-o', form)
            if 'no flag -o' in done.stderr:
                done = self.tender(*command)
            yield command, (done.stdout + done.stderr).replace('\r\n', '\n')
            if check is not None:
                self.assertEqual(done.returncode, check, done.stderr)

    def played(self, name, text):
        """A task with the text wherever somebody may write one."""
        skill, key = f'{self.skill}.{name}', text.encode()[:100].decode(errors='ignore')
        client = self.client(principal=f'texts-{name}')

        def deliver(c, award):
            c.acknowledge(award)
            c.report('inform-progress', award, 1, text=text)
            c.report('inform-done', award, text=text, content=text.encode(),
                     evidence='result=' + text[:200].replace('\n', ' '))  # fmt: skip

        one = self.contractor(skill=skill, on_award=lambda c, award: c.fail(award, 0, text=text),
                              on_cfp=lambda c, cfp: c.bid(cfp, CREDIT, text=text))  # fmt: skip
        two = self.contractor(skill=skill, on_award=deliver,
                              on_cfp=lambda c, cfp: c.bid(cfp, 2 * CREDIT, text=text))  # fmt: skip
        three = self.contractor(skill=skill, on_cfp=lambda c, cfp: c.decline(cfp, text=text))
        self.ready(one, two, three)
        task = client.announce(skill=skill, key=key, units=2, content=text.encode(),
                               evidence='result', accept_us=HOUR, goal=f'goal-{name}')  # fmt: skip
        self.wait(lambda: self.entries(task, 'delivered'), 'the delivery')
        self.assertEqual([c['owner'] for c in self.commitments(task)], [one.name, two.name])
        return client, task, skill

    def test_no_screen_has_a_byte_that_steers(self):
        screens = []
        tasks = []
        for name, text in TEXTS.items():
            client, task, skill = self.played(name, text)
            tasks.append(task)
            key = text.encode()[:100].decode(errors='ignore')
            flags = ['-p', client.principal, '-s', skill, '-u', 1, '-c', 1]
            says = [
                ['believe', task, 'impossible', '--reason', text],
                ['hold', f'contractor:{name}', '--reason', 'other', '--text', text],
                ['hold', f'contractor:{text}', '--reason', 'other'],
                ['reject', task, '--reason', 'other', '--text', text, '--units', 1],
                ['cancel', task, '--text', text, '-p', client.principal],
                ['accept', text], ['close', text], ['goal', text], ['release', text],
                ['adopt', text], ['result', text], ['task', text], ['explain', text],
                ['account', 'fund', text, 1], ['rate', 'set', text], ['resource', 'set', text, 1],
                ['goal', f'goal-{name}'], ['announce', *flags, '-k', key],
            ]  # fmt: skip
            for command in says:
                code, out = self.tender_served(*command)
                self.assertNotEqual(code, -6, command)
                screens.append((command, out))
            for command in OF_A_TASK:
                screens.extend(self.shown(*command.split(), task, check=0))
            self.await_end(task)
            screens.extend(self.shown('watch', task))
        listed = re.findall(r'^  ([a-z]+(?: [a-z]+)?) {2,}', self.tender('--help').stdout, re.M)
        self.assertGreater(len(listed), 30)
        for command in sorted({c for c in listed if not c.startswith('tender ')} - DONE - OTHERS):
            screens.extend(self.shown(*command.split()))
        for command, out in screens:
            self.assertEqual(steers(out), [], (command, out[:2000]))
        everything = ''.join(out for _, out in screens)
        for said in ('\\x1b[2J', '\\u202e', '\\u200b', '\\U000e0041', '\\udb40\\udc41', "'; drop"):
            self.assertIn(said, everything, 'and what was written can be seen')
        self.assertEqual(steers(self.broker.log.read_text()), [])
        self.terminal_gets_no_result(tasks[0])

    def terminal_gets_no_result(self, task):
        parent, child = pty.openpty()
        done = subprocess.run(
            [os.environ['TENDER'], 'result', f'{task}/2'],
            stdout=child,
            stderr=subprocess.PIPE,
            env=self.environment(),
            timeout=LIMIT,
        )
        os.close(child), os.close(parent)
        self.assertEqual((done.returncode, b'--file' in done.stderr), (2, True), done.stderr)


if __name__ == '__main__':
    main()
