-- The event log: a copy of the streams to search in. The streams stay the truth; this can be built
-- anew from them.
create table events (
    stream text not null,
    seq bigint not null,
    subject text not null,
    id uuid not null,
    kind text not null,
    aggregate uuid not null,
    -- The aggregate's version.
    version bigint not null,
    time timestamptz not null,
    actor text not null,
    correlation uuid,
    causation uuid,
    envelope jsonb not null,
    constraint events_pkey primary key (stream, seq)
);

create index events_id_idx on events (id);
create index events_aggregate_idx on events (aggregate, id);
create index events_correlation_idx on events (correlation, id);
create index events_actor_idx on events (actor, id);
create index events_kind_idx on events (kind, id);
create index events_time_idx on events (stream, time);
create index events_order_code_idx on events ((envelope -> 'data' ->> 'orderCode'))
    where kind = 'tiffin.order.placed.v1';
create index events_text_idx on events using gin (jsonb_to_tsvector('simple', envelope -> 'data', '["string", "numeric"]'));
