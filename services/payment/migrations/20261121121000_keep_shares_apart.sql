-- Each order's share of its checkout, fixed by the first payment. It stands apart from the read model of
-- orders, which holds nothing but what events told and so can be rebuilt from them.
create table shares (
    order_id uuid not null,
    checkout_id uuid not null,
    -- Cents.
    amount bigint not null,
    constraint shares_pkey primary key (order_id),
    constraint shares_amount_check check (amount >= 0)
);

insert into shares (order_id, checkout_id, amount)
select id, checkout_id, share from orders where share is not null;

create index shares_checkout_idx on shares (checkout_id);

alter table orders drop column share;
