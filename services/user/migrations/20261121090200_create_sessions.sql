-- One sign-in on one device. Its refresh tokens follow one another; a used one that comes back ends
-- them all.
create table refresh_families (
    id uuid not null,
    user_id uuid not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    constraint refresh_families_pkey primary key (id),
    constraint refresh_families_user_fkey foreign key (user_id) references users (id)
);

create index refresh_families_user_idx on refresh_families (user_id) where ended_at is null;

create table refresh_tokens (
    -- SHA-256 of the token.
    hash bytea not null,
    family_id uuid not null,
    issued_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    constraint refresh_tokens_pkey primary key (hash),
    constraint refresh_tokens_family_fkey foreign key (family_id) references refresh_families (id) on delete cascade
);

create index refresh_tokens_family_idx on refresh_tokens (family_id);
create index refresh_tokens_expiry_idx on refresh_tokens (expires_at);
