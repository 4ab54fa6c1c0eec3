-- What a broker sees of the others says more than it did: how many live, and how many of them come before
-- it. A function is not replaced by one with other columns, so the old one goes, and the new one follows
-- in the same transaction.
drop function if exists tender_ledger.watch_reigns(text, text, interval);
