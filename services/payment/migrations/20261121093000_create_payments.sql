-- One row is one try to pay one order. Of a card, brand and last four digits are kept; number, expiry
-- and security code never are.
create table payments (
    -- Also the key under which the provider knows the charge.
    id uuid not null,
    order_id uuid not null,
    customer_id uuid not null,
    -- Cents.
    amount bigint not null,
    kind text not null,
    card_brand text,
    card_last4 text,
    status text not null,
    -- The provider's word for a refusal.
    decline_reason text,
    -- Which provider took it.
    provider text not null,
    -- The request's Idempotency-Key.
    request_key text,
    created_at timestamptz not null,
    -- When the reconciler is to look at it; null where nothing is open.
    due_at timestamptz,
    attempts integer not null default 0,
    -- What called for the refund: who, which event, in which trace.
    refund_actor text,
    refund_causation uuid,
    refund_trace text,
    -- How many events there are of it.
    version bigint not null default 0,
    constraint payments_pkey primary key (id),
    constraint payments_amount_check check (amount >= 0),
    constraint payments_kind_check check (kind in ('Card', 'PayPal', 'Bank Transfer')),
    constraint payments_card_check
        check ((kind = 'Card') = (card_last4 is not null) and (card_brand is null) = (card_last4 is null)),
    constraint payments_last4_check check (card_last4 ~ '^[0-9]{4}$'),
    constraint payments_status_check
        check (status in ('pending', 'captured', 'declined', 'refunding', 'refunded')),
    constraint payments_due_check check ((due_at is not null) = (status in ('pending', 'refunding')))
);

-- One capture an order, whatever else goes wrong.
create unique index payments_order_key on payments (order_id) where status <> 'declined';
create unique index payments_request_key on payments (customer_id, request_key) where status <> 'declined';
create index payments_customer_idx on payments (customer_id, id);
create index payments_due_idx on payments (due_at) where due_at is not null;
