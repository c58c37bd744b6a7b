-- What operators had done: who, what, why, and how far it is where it takes time.
create table operations (
    id uuid not null,
    verb text not null,
    target text not null,
    reason text not null,
    actor uuid not null,
    -- The service that does it, and what of it: for what takes time.
    service text,
    stream text,
    -- Window, filter, speed: as it was asked for.
    spec jsonb not null default '{}',
    state text not null,
    total bigint not null default 0,
    handled bigint not null default 0,
    skipped bigint not null default 0,
    failed bigint not null default 0,
    report jsonb,
    begun_at timestamptz not null,
    updated_at timestamptz not null,
    -- How many events there are of it.
    version bigint not null,
    constraint operations_pkey primary key (id),
    constraint operations_state_check check (state in ('running', 'paused', 'done', 'cancelled', 'failed'))
);

create index operations_under_way_idx on operations (id) where state in ('running', 'paused');
