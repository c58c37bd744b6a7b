-- Stripe's PaymentIntents, by the payment that each was made for.
create table stripe_intents (
    payment_id uuid not null,
    -- `pi_…`.
    intent text not null,
    constraint stripe_intents_pkey primary key (payment_id),
    constraint stripe_intents_intent_key unique (intent)
);

-- Events of Stripe's webhooks that took effect. Stripe repeats one for three days; rows live for sixty.
create table stripe_events (
    -- `evt_…`.
    id text not null,
    received_at timestamptz not null,
    constraint stripe_events_pkey primary key (id)
);

create index stripe_events_received_idx on stripe_events (received_at);

-- A customer's objection at their bank, as the provider reports it.
alter table payments
    add column dispute text,
    add column dispute_reason text,
    -- Cents.
    add column disputed bigint,
    add constraint payments_dispute_check check (
        dispute in ('open', 'won', 'lost')
        and (dispute is null) = (dispute_reason is null) and (dispute is null) = (disputed is null)
    );
