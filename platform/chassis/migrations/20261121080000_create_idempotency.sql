create schema if not exists http;

-- The first answer to every creating request that named an Idempotency-Key.
create table http.idempotency (
    caller uuid not null,
    key text not null,
    operation text not null,
    body_hash bytea not null,
    status smallint not null,
    answer jsonb not null,
    created_at timestamptz not null default now(),
    constraint idempotency_pkey primary key (caller, operation, key)
);
