-- An aggregate that a consumer can't go on with: one of its events is a dead letter.
create table bus.blocked (
    consumer text not null,
    aggregate uuid not null,
    -- Where the event lies in the stream.
    stream_sequence bigint not null,
    reason text not null,
    blocked_at timestamptz not null,
    constraint blocked_pkey primary key (consumer, aggregate)
);

-- Later events of a blocked aggregate, by their place in the stream, until the first is settled.
create table bus.parked (
    consumer text not null,
    aggregate uuid not null,
    -- The aggregate's version.
    sequence bigint not null,
    stream_sequence bigint not null,
    constraint parked_pkey primary key (consumer, aggregate, sequence, stream_sequence)
);

-- Events that an operator took out of a consumer's way for good.
create table bus.discarded (
    consumer text not null,
    stream_sequence bigint not null,
    event_id uuid,
    discarded_at timestamptz not null,
    constraint discarded_pkey primary key (consumer, stream_sequence)
);
