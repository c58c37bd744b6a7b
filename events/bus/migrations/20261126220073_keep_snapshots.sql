-- Snapshots of read models, from which rebuilds start. Their tables lie in schema snapshot_<model>. A consumer has
-- read its stream up to a position; `history` names what the stream held until then.
create table bus.snapshots (
    model text not null,
    consumer text not null,
    stream text not null,
    position bigint not null,
    history text not null,
    program text not null,
    taken_at timestamptz not null,
    constraint snapshots_pkey primary key (model, consumer)
);

-- The content of a snapshot's tables: the number of rows and the sum of their hashes.
create table bus.snapshot_tables (
    model text not null,
    name text not null,
    rows bigint not null,
    hash numeric not null,
    constraint snapshot_tables_pkey primary key (model, name)
);

-- Keeps the record of a snapshot's table right while an account is erased, without reading the table. Any other
-- change leaves the record as it is and is found.
create function bus.follow_erasure() returns trigger language plpgsql as $$
declare
    gone bigint := 0;
    gone_hash numeric := 0;
    added bigint := 0;
    added_hash numeric := 0;
begin
    if current_setting('bus.erasing', true) is distinct from 'on' then
        return null;
    end if;
    if tg_op <> 'INSERT' then
        select count(*), coalesce(sum(hashtextextended(r::text, 0)::numeric), 0)
        into gone, gone_hash from old_rows r;
    end if;
    if tg_op <> 'DELETE' then
        select count(*), coalesce(sum(hashtextextended(r::text, 0)::numeric), 0)
        into added, added_hash from new_rows r;
    end if;
    update bus.snapshot_tables t
    set rows = t.rows - gone + added, hash = t.hash - gone_hash + added_hash
    where 'snapshot_' || lower(t.model) = tg_table_schema and t.name = tg_table_name;
    return null;
end $$;
