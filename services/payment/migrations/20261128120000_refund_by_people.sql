-- Money of an order that the restaurant or an administrator refunds. Its order costs so much less from then on.
create table refunds (
    id uuid not null,
    order_id uuid not null,
    -- The order's, for limits and erasure.
    checkout_id uuid not null,
    customer_id uuid not null,
    restaurant_id uuid not null,
    -- Cents.
    amount bigint not null,
    made_by text not null,
    -- The account.
    actor_id uuid not null,
    reason text not null,
    -- A line to the customer.
    note text,
    created_at timestamptz not null,
    constraint refunds_pkey primary key (id),
    constraint refunds_amount_check check (amount > 0),
    constraint refunds_made_by_check check (made_by in ('restaurant', 'administrator')),
    constraint refunds_reason_check
        check (reason in ('missing_item', 'wrong_item', 'poor_quality', 'late', 'not_delivered', 'other')),
    constraint refunds_note_check check (char_length(note) <= 200)
);

create index refunds_order_idx on refunds (order_id);
create index refunds_customer_idx on refunds (customer_id, id);
create index refunds_restaurant_idx on refunds (restaurant_id, created_at);

-- The payments that a refund is made from. A part is made once its payment has refunded this many cents.
create table refund_parts (
    refund_id uuid not null,
    payment_id uuid not null,
    refunded_then bigint not null,
    constraint refund_parts_pkey primary key (refund_id, payment_id)
);
