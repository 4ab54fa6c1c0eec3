"""What the ledger must say after every test: claims, each with a query for what breaks it."""

CLAIMS = {
    'postings sum to zero in every transaction': """
        select posting_id, sum(amount) from tender.posting group by 1 having sum(amount) <> 0""",
    'all postings of an account are its balance': """
        select a.principal from tender.account a
        left join (
            select principal, sum(amount) filter (where bucket = 'available') as available,
                sum(amount) filter (where bucket = 'reserved') as reserved,
                sum(amount) filter (where bucket = 'earned') as earned
            from tender.posting group by 1) p using (principal)
        where (a.available, a.reserved, a.earned) is distinct from
            (coalesce(p.available, 0), coalesce(p.reserved, 0), coalesce(p.earned, 0))""",
    'an ended task has paid or released its ceiling, to the commitments it has': """
        select t.task_id, t.ceiling, p.paid, r.released from tender.task t
        cross join lateral (
            select coalesce(sum(c.paid), 0) as paid
            from tender.commitment c where c.task_id = t.task_id) p
        cross join lateral (
            select coalesce(sum((e.body::json ->> 'released_micro')::numeric), 0) / 1e6 as released
            from tender_ledger.entry e
            where e.task_id = t.task_id and e.shard = tender_ledger.shard_of_task(t.task_id)) r
        where t.ended_at is not null and p.paid + r.released <> t.ceiling""",
    'chains have no gaps': """
        select task_id from tender_ledger.entry group by shard, task_id
        having min(number) <> 1 or max(number) <> count(*)""",
    'a part of a task has one active commitment at most, and an ended task has none': """
        select task_id, split_part(c.commitment_id, '.', 1) as part
        from tender.commitment c join tender.task t using (task_id)
        where c.status in ('active', 'delivered')
        group by task_id, t.ended_at,
            case when c.commitment_id like '%.%' then split_part(c.commitment_id, '.', 1) end, part
        having count(*) filter (where c.commitment_id like '%.%') > 1
            or (count(*) > 1 and bool_and(c.commitment_id not like '%.%'))
            or t.ended_at is not null""",
    'a task promises and pays no more than it has': """
        select t.task_id from tender.task t join tender.commitment c using (task_id)
        group by t.task_id, t.units, t.ceiling
        having sum(case when c.ended_at is null then c.units else c.units_done end) > t.units
            or sum(case when c.ended_at is null then c.price else c.paid end) > t.ceiling""",
    'a generation of a part is awarded and settled once': """
        select e.task_id, e.kind, e.body::json ->> 'part', e.body::json ->> 'generation'
        from tender_ledger.entry e
        join tender_ledger.word w on w.vocabulary = 'entry_kind' and w.code = e.kind
        where w.name in ('awarded', 'settled') group by 1, 2, 3, 4 having count(*) > 1""",
    'what is held of a counted name is what commitments that go on and need it hold': """
        select r.resource, r.contractor, r.held, p.needed
        from tender_ledger.resource r
        cross join lateral (
            select count(*) as needed from tender_ledger.promise p
            join tender_ledger.task t using (shard, task_id)
            left join tender_ledger.task_need n using (shard, task_id)
            where p.shard = r.shard and r.resource = any (array[t.skill] || n.needs)
                and r.contractor in ('', p.owner)) p
        where r.held <> p.needed or r.held <> (
            select count(*) from tender_ledger.resource_hold h
            where h.shard = r.shard and h.resource = r.resource and h.contractor = r.contractor)""",
    'cost, price and ceiling are in order': """
        select a.task_id from tender.award a join tender.round r using (task_id, round)
        where not (a.cost <= a.price and a.price <= r.ceiling)""",
    'each award is what the rules make of the bids': """
        select t.task_id, v.round, v.claim, v.detail
        from (select task_id from tender.task order by announced_at desc limit 100) t
        cross join lateral tender.verify_award(t.task_id) v where v.holds is false""",
}
