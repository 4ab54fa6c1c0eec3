-- Goal: the promised views have at least the promised columns, and credits are numeric(20,6).
-- Method: the list that was promised, against the catalogue.
begin;
select plan(4);

create temporary table promised (view_name text, columns text);
insert into promised values
    ('task', 'task_id client principal skill units units_done ceiling status reason round key announced_at ended_at'),
    ('round', 'task_id round head units ceiling invited closes_at closed_at outcome'),
    ('bid', 'task_id round contractor principal cost eta status reason rank'),
    ('award', 'task_id round contractor cost price awarded_at'),
    ('commitment', 'commitment_id task_id round owner creditor units units_done price paid due_at status reason ended_at overdue'),
    ('account', 'principal available reserved spent earned'),
    ('hold', 'contractor principal skill task_id reason text author since until is_over'),
    ('bid_fidelity', 'contractor tier reports ratio bias exact_share bid measured'),
    ('posting', 'posting_id at task_id commitment_id principal bucket amount'),
    ('contractor_record', 'contractor principal'),
    ('overdue', 'commitment_id task_id owner due_at');

select is_empty($$
    select p.view_name, c.name from promised p
    cross join lateral string_to_table(p.columns, ' ') c (name)
    where not exists (
        select from information_schema.columns i
        where i.table_schema = 'tender' and i.table_name = p.view_name and i.column_name = c.name)
$$, 'no promised column is missing');

select is_empty($$
    select i.table_name, i.column_name, i.data_type, i.numeric_precision, i.numeric_scale
    from information_schema.columns i
    where i.table_schema = 'tender'
        and i.column_name in ('ceiling', 'cost', 'price', 'paid', 'released', 'available', 'reserved',
            'spent', 'earned', 'issued', 'amount', 'fee')
        and (i.data_type, i.numeric_precision, i.numeric_scale) is distinct from ('numeric', 20, 6)
$$, 'credits are numeric(20,6)');

select is_empty($$
    select c.oid::regclass from pg_class c
    where c.relnamespace = 'tender'::regnamespace and c.relname in ('bid', 'award')
        and not coalesce(c.reloptions::text like '%security_barrier=true%', false)
$$, 'views that hide rows or costs are barriers');

select lives_ok($$
    select 1 from tender.task, tender.round, tender.bid, tender.award, tender.commitment, tender.account,
        tender.posting, tender.contractor_record, tender.overdue, tender.request
$$, 'all views can be read');

select * from finish();
rollback;
