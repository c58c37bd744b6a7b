-- Appends to the outbox in the order given, also as a part of a larger statement. Returns the number of rows.
-- The arguments are by position, since their names are those of columns.
create function bus.append(
    event_ids uuid[], subjects text[], aggregates uuid[], bodies text[], audiences text[],
    times timestamptz[], keep_seconds integer[]
) returns bigint language sql as $$
    with appended as (
        insert into bus.outbox (event_id, subject, lane, body, audience, created_at, keep_seconds)
        select r.event_id, r.subject, r.lane, r.body, r.audience::uuid[], r.created_at, r.keep
        from unnest($1, $2, $3, $4, $5, $6, $7)
            with ordinality as r (event_id, subject, lane, body, audience, created_at, keep, n)
        order by r.n
        returning 1
    )
    select count(*) from appended
$$;

-- A busy relay looks for rows many times a second. It is notified only while it sleeps, when it holds this lock,
-- since the commits of transactions that notify run one after the other.
--
-- A transaction that finds the lock free shares it until it ends, so that a relay does not fall asleep before the
-- rows can be seen.
create or replace function bus.wake_relay() returns trigger language plpgsql as $$
begin
    if not pg_try_advisory_xact_lock_shared(x'74696666696f'::bigint) then
        notify outbox;
    end if;
    return null;
end
$$;
