-- Addresses for which a new password was asked for, whether they have an account or not. A row goes once
-- the mail is written.
create table password_requests (
    id uuid not null,
    email text not null,
    -- What the mail is written in.
    language text not null,
    asked_at timestamptz not null,
    constraint password_requests_pkey primary key (id),
    constraint password_requests_language_check check (language in ('en', 'si', 'ta'))
);

create index password_requests_asked_idx on password_requests (asked_at);

-- The way to a new password, one an account at most.
create table password_resets (
    user_id uuid not null,
    -- SHA-256 of what the mail carries.
    hash bytea not null,
    language text not null,
    expires_at timestamptz not null,
    constraint password_resets_pkey primary key (user_id),
    constraint password_resets_hash_key unique (hash),
    constraint password_resets_user_fkey foreign key (user_id) references users (id),
    constraint password_resets_language_check check (language in ('en', 'si', 'ta'))
);

create index password_resets_expiry_idx on password_resets (expires_at);
