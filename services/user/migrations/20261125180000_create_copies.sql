-- Copies that people asked for of what the platform holds about them. An account has one; one that is gone only waits
-- for the removal of its file.
create table copies (
    -- Also the folder of its file.
    id uuid not null,
    user_id uuid not null,
    -- The language of the mail and of the file's description.
    language text not null,
    state text not null,
    requested_at timestamptz not null,
    -- Of one that is waiting: the next attempt, or the end of the time that a process has for this one. Of others: the
    -- removal.
    due_at timestamptz not null,
    -- Attempts to make it. The number of the last one names the file, and tells its process from earlier ones.
    attempts integer not null default 0,
    -- The service that did not answer in the last attempt.
    missing text,
    -- Bytes.
    size bigint,
    constraint copies_pkey primary key (id),
    constraint copies_user_fkey foreign key (user_id) references users (id),
    constraint copies_language_check check (language in ('en', 'si', 'ta')),
    constraint copies_state_check check (state in ('waiting', 'ready', 'failed', 'gone')),
    constraint copies_size_check check ((state <> 'ready') or size is not null)
);

create unique index copies_user_key on copies (user_id) where state <> 'gone';
create index copies_due_idx on copies (due_at);
