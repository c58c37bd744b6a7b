-- Keeps the first answer to a key, also as a part of a larger statement, and drops some that are older than a day.
-- False if another answer is kept. A row with status 0 is of a request that an earlier release had under way.
-- The arguments are by position, since their names are those of columns.
create function http.keep_answer(
    caller uuid, operation text, key text, body_hash bytea, status smallint, answer jsonb
) returns boolean language sql as $$
    delete from http.idempotency
    where (caller, operation, key) in (
        select i.caller, i.operation, i.key from http.idempotency i
        where i.created_at < now() - interval '1 day' and (i.caller, i.operation, i.key) <> ($1, $2, $3)
        order by i.created_at limit 100
        for update skip locked
    );
    with kept as (
        insert into http.idempotency as i (caller, operation, key, body_hash, status, answer)
        values ($1, $2, $3, $4, $5, $6)
        on conflict on constraint idempotency_pkey do update
        set body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer, created_at = now()
        where i.status = 0 or i.created_at < now() - interval '1 day'
        returning 1
    )
    select exists (select from kept)
$$;
