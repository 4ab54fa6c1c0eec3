-- Simulated markets in the place of the ledger's answers: all that the screens do behind it is as shipped.
create table simulated (
    tender integer not null,
    skill text collate "C" not null,
    contractor text collate "C" not null,
    cost_micro bigint,
    ceiling_micro bigint not null,
    units bigint not null,
    is_winner boolean not null,
    is_setter boolean not null
);
create table look (tender integer not null); -- the newest tender that the screens see
insert into look values (0);
create or replace view tender_ledger.answer as
select s.skill, lpad(to_hex(s.tender), 32, '0')::uuid as task_id, 1 as round,
    timestamptz 'epoch' + s.tender * interval '1 minute' as awarded_at, s.contractor, s.contractor as principal,
    s.cost_micro, s.ceiling_micro, s.is_winner, s.is_setter, s.units
from simulated s
cross join look l
where s.tender between l.tender - 199 and l.tender;
grant select on simulated, look to tender_owner;
