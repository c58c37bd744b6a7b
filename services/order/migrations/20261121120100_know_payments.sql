-- Which orders are paid: what was captured and has not gone back.
create table payments (
    id uuid not null,
    order_id uuid not null,
    constraint payments_pkey primary key (id)
);

create index payments_order_idx on payments (order_id);
