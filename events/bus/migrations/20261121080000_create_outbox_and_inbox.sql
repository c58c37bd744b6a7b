create schema if not exists bus;

-- Events that a transaction made, waiting for the relay. Published rows stay: a lost stream can be
-- rebuilt from them.
create table bus.outbox (
    id bigint generated always as identity,
    event_id uuid not null,
    subject text not null,
    -- The aggregate that the row is about: of an event, or of an entry of the audience bucket.
    lane uuid not null,
    body text not null,
    -- The users to tell once the broker has stored it.
    audience uuid[] not null default '{}',
    created_at timestamptz not null,
    published_at timestamptz,
    stream_sequence bigint,
    constraint outbox_pkey primary key (id),
    constraint outbox_event_id_key unique (event_id)
);

create index outbox_unpublished_idx on bus.outbox (id) where published_at is null;

create function bus.wake_relay() returns trigger language plpgsql as $$
begin
    notify outbox;
    return null;
end
$$;

create trigger outbox_wakes_relay after insert on bus.outbox
    for each statement execute function bus.wake_relay();

-- Which events each consumer has handled.
create table bus.inbox (
    consumer text not null,
    event_id uuid not null,
    handled_at timestamptz not null,
    constraint inbox_pkey primary key (consumer, event_id)
);

-- The version of each aggregate that each consumer has reached.
create table bus.reached (
    consumer text not null,
    aggregate uuid not null,
    sequence bigint not null,
    constraint reached_pkey primary key (consumer, aggregate)
);
