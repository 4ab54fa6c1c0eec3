-- Nothing that is in the inbox breaks the constraint that 0030 widened.
alter table tender_ledger.inbox validate constraint inbox_kind_exists;
