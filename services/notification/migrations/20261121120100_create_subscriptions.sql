-- Browsers that take web push, as RFC 8291 names what they say of themselves.
create table subscriptions (
    id uuid not null,
    user_id uuid not null,
    endpoint text not null,
    p256dh bytea not null,
    auth bytea not null,
    created_at timestamptz not null,
    constraint subscriptions_pkey primary key (id),
    constraint subscriptions_endpoint_key unique (endpoint)
);

create index subscriptions_user_idx on subscriptions (user_id, id);

-- The key that push services know us by (RFC 8292): made once, kept for ever, for browsers subscribe to it.
create table push_keys (
    id boolean not null default true,
    pkcs8 bytea not null,
    constraint push_keys_pkey primary key (id),
    constraint push_keys_one_check check (id)
);
