-- The event log by month, so that what the archive holds leaves it as a whole table. Streams that are archived have a
-- partition for each month in which the broker stored events; the others have one that stays.
--
-- Rows are not rewritten: the table of so far becomes the partition of everything before the next month. Its events
-- have the time of this migration as the time at which they were stored. Attaching it reads it once and builds an index.
create schema log;

do $$
declare
    next_month constant timestamptz := date_trunc('month', now(), 'UTC') + interval '1 month';
    old constant text := 'events_until_' || to_char(next_month at time zone 'UTC', 'YYYY_MM');
    is_empty boolean;
begin
    alter table events drop constraint events_pkey;
    alter table events add column stored_at timestamptz not null default now();
    alter table events alter column stored_at drop default;
    alter table events set schema log;
    execute format('alter table log.events rename to %I', old);
    execute format('create table events (like log.%I including generated) partition by list (stream)', old);

    alter table events add constraint events_pkey primary key (stream, seq, stored_at);
    create index events_id_idx on events (id);
    create index events_aggregate_idx on events (aggregate, id);
    create index events_correlation_idx on events (correlation, id);
    create index events_actor_idx on events (actor, id);
    create index events_kind_idx on events (kind, id);
    create index events_time_idx on events (stream, time);
    create index events_order_code_idx on events ((envelope -> 'data' ->> 'orderCode'))
        where kind = 'tiffin.order.placed.v1';
    create index events_text_idx on events
        using gin (jsonb_to_tsvector('simple', envelope -> 'data', '["string", "numeric"]'));
    create index events_words_idx on events using gin (words);
    create index events_unread_idx on events (stream, seq) where words is null;

    create table log.kept partition of events for values in ('USERS', 'OPERATIONS');
    create table log.months partition of events
        for values in ('CATALOG', 'ORDERS', 'PAYMENTS', 'DELIVERIES', 'DRIVERS', 'NOTIFICATIONS')
        partition by range (stored_at);

    execute format('insert into events select * from log.%I where stream in (''USERS'', ''OPERATIONS'')', old);
    execute format('delete from log.%I where stream in (''USERS'', ''OPERATIONS'')', old);
    execute format('select not exists (select from log.%I)', old) into is_empty;
    if is_empty then
        execute format('drop table log.%I', old);
    else
        execute format('alter table log.months attach partition log.%I for values from (minvalue) to (%L)',
                       old, next_month);
    end if;
end
$$;

-- The first stream sequence of a stream that the log answers for: what is before it lies in the archive alone. Rows
-- before it are on their way out. Without a row, the log answers for all.
create table log_starts (
    stream text not null,
    seq bigint not null,
    constraint log_starts_pkey primary key (stream)
);

-- The segments of the archive that were read for the log, with what a search needs to leave them out: newest first
-- goes by ids, which are not in the order of stream sequences.
create table archived_segments (
    stream text not null,
    number bigint not null,
    first_seq bigint not null,
    last_seq bigint not null,
    -- Of its events; null where it has none.
    first_id uuid,
    last_id uuid,
    first_time timestamptz,
    last_time timestamptz,
    constraint archived_segments_pkey primary key (stream, number)
);

create index archived_segments_id_idx on archived_segments (last_id);

-- The codes of archived orders: no index of the archive has them.
create table archived_orders (
    code text not null,
    id uuid not null,
    constraint archived_orders_pkey primary key (code)
);

-- What the log answers for.
create view logged_events as
    select e.* from events e left join log_starts s on s.stream = e.stream
    where e.seq >= coalesce(s.seq, 0);
