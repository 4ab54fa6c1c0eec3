#!/usr/bin/python3
"""The ledger refuses a batch: the broker recalls by itself and goes on with all its peers."""
from harness import CREDIT, SystemTest, main

# Refuses the first batch with entries that comes after it; a sequence counts also what is undone.
REFUSE_ONCE = """
create sequence if not exists public.refusal;
create or replace function public.refuse_once() returns trigger language plpgsql as $$
begin
    if nextval('public.refusal') = 1 then
        raise exception 'refused by a test';
    end if;
    return null;
end
$$;
grant all on sequence public.refusal to public;
create trigger refuse_once before insert on tender_ledger.entry_row
    for each statement execute function public.refuse_once();
"""


class Refusal(SystemTest):
    broker_options = ('--backlog-size', '64KiB', '--spare-exchanges', '1')

    @classmethod
    def _end_broker(cls):  # here an error in the log is what is asked for
        code = cls.broker.stop()
        log = cls.broker.log.read_text(errors='replace')
        assert code == 0 and 'Sanitizer' not in log, f'broker exit {code}: {log[-6000:]}'

    def logged(self, event):
        return self.broker.log.read_text().count(f'event={event} ')

    def test_broker_that_was_behind_when_the_ledger_refused_hears_again(self):
        client = self.client(10_000)
        worker = self.contractor(cost=CREDIT)
        self.ready(worker)
        self.addCleanup(
            self.sql.run, 'drop trigger if exists refuse_once on tender_ledger.entry_row')
        self.sql.run(f'begin; {REFUSE_ONCE}')  # until it commits, no entry can be written
        keys = []
        while not self.logged('receiving-paused'):
            keys.append(
                client.say_announce(skill=self.skill, close_alone=1, content=b'x' * 60_000)
            )
            self.pump()
        self.sql.run('commit')
        self.wait(lambda: self.logged('ledger-refused'), 'the refusal')
        self.wait(lambda: all(client.answers(key) for key in keys), 'every answer')
        for key in keys:
            self.await_end(client.answers(key)[0].conversation, 'done')


if __name__ == '__main__':
    main()
