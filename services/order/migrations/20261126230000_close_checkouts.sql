-- A closed account places no checkout any more.
alter table checkouts add column closed boolean not null default false;
insert into checkouts (customer_id, number, unpaid, closed)
select id, 0, 0, true from people where deleted
on conflict on constraint checkouts_pkey do update set closed = true;
