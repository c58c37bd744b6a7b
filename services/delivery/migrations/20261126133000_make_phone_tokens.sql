-- The token with which a driver's phone sends positions while it is locked: one at a time.
create table phone_tokens (
    driver_id uuid not null,
    -- SHA-256 of the token, which is kept nowhere.
    hash bytea not null,
    made_at timestamptz not null,
    -- Some seconds old at most, so that not every position is a write.
    used_at timestamptz,
    -- The effect of the last position.
    outcome text,
    constraint phone_tokens_pkey primary key (driver_id),
    constraint phone_tokens_hash_key unique (hash),
    constraint phone_tokens_outcome_check
        check (outcome in ('used', 'no-delivery', 'ahead', 'too-old', 'impossible'))
);
