-- The keys of people's personal fields in events. A row stays when its account is closed: it says that the key is
-- destroyed, and that there will be no other.
create table personal_keys (
    id uuid not null,
    -- An account, of this platform or of one whose history was imported.
    person_id uuid not null,
    -- Sealed under the master key; null once it is destroyed.
    secret bytea,
    created_at timestamptz not null,
    destroyed_at timestamptz,
    constraint personal_keys_pkey primary key (id),
    constraint personal_keys_destroyed_check check ((secret is null) = (destroyed_at is not null))
);

create unique index personal_keys_person_key on personal_keys (person_id);
