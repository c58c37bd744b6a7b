-- What operators have a consumer do that takes time: a replay, a rebuild, a check, a republication.
-- A killed process goes on at `position`.
create table bus.runs (
    id uuid not null,
    -- The consumer it is about; the service's name for a republication.
    target text not null,
    kind text not null,
    -- What exactly, as it was asked for.
    spec jsonb not null,
    state text not null,
    -- How many events there are to go through, counted when it began.
    total bigint not null,
    -- The place in the stream, or in the outbox, up to which everything is done.
    position bigint not null,
    handled bigint not null default 0,
    skipped bigint not null default 0,
    failed bigint not null default 0,
    -- What came out, or why it failed.
    report jsonb,
    started_at timestamptz not null,
    updated_at timestamptz not null,
    constraint runs_pkey primary key (id),
    constraint runs_kind_check check (kind in ('replay', 'rebuild', 'verify', 'republish')),
    constraint runs_state_check check (state in ('running', 'paused', 'done', 'cancelled', 'failed'))
);

-- One at a time for each consumer.
create unique index runs_under_way_key on bus.runs (target) where state in ('running', 'paused');
