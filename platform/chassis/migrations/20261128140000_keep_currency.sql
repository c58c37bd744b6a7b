-- The currency that the amounts of this database are of: that of its first start. The service's own tables are made
-- after these, so where there are some, the database is of an earlier release, which counted in rupees.
create schema if not exists platform;

create table platform.currency (
    code text not null,
    is_only boolean not null default true,
    constraint currency_pkey primary key (is_only),
    constraint currency_only_one check (is_only)
);

insert into platform.currency (code)
select 'LKR' where coalesce(to_regclass('items'), to_regclass('orders'), to_regclass('deliveries')) is not null;
