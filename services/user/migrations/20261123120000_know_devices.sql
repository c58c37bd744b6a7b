-- Browsers that have signed in to an account: they may try passwords whatever strangers do. The browser
-- keeps the key; here is its hash. One browser may know several accounts.
create table known_devices (
    hash bytea not null,
    user_id uuid not null,
    seen_at timestamptz not null,
    constraint known_devices_pkey primary key (hash, user_id)
);

create index known_devices_user_idx on known_devices (user_id, seen_at);
create index known_devices_seen_idx on known_devices (seen_at);
