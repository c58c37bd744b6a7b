-- Refunds by people: an order costs so much less, so that it stays paid when the money is back.
create table refunds (
    id uuid not null,
    order_id uuid not null,
    checkout_id uuid not null,
    -- Cents.
    amount bigint not null,
    made_by text not null,
    reason text not null,
    created_at timestamptz not null,
    -- The number of payments that it is made from.
    parts integer not null,
    constraint refunds_pkey primary key (id)
);

-- Unique, so that a rebuild has it from the beginning.
create unique index refunds_order_idx on refunds (order_id, id);
create unique index refunds_checkout_idx on refunds (checkout_id, id);

-- The payments that a refund is made from. A part is made once its payment has refunded this many cents.
create table refund_parts (
    refund_id uuid not null,
    payment_id uuid not null,
    refunded_then bigint not null,
    constraint refund_parts_pkey primary key (refund_id, payment_id)
);
