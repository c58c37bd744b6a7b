-- The secret that an account's authenticator app and the platform share.
create table second_factors (
    user_id uuid not null,
    -- 20 bytes, sealed for this row (AES-256-GCM).
    secret bytea not null,
    begun_at timestamptz not null,
    -- Null until a first code shows that the app has it: it counts from then on.
    confirmed_at timestamptz,
    -- The last step of 30 seconds whose code was taken: no code is good twice.
    last_step bigint not null default 0,
    constraint second_factors_pkey primary key (user_id),
    constraint second_factors_user_fkey foreign key (user_id) references users (id)
);

-- Codes for who has lost the app, each good once.
create table recovery_codes (
    user_id uuid not null,
    -- The code begins with it.
    number smallint not null,
    -- Argon2id in PHC string format.
    hash text not null,
    used_at timestamptz,
    constraint recovery_codes_pkey primary key (user_id, number),
    constraint recovery_codes_factor_fkey foreign key (user_id) references second_factors (user_id) on delete cascade
);

-- Sign-ins that wait for the code after the right password.
create table sign_ins_under_way (
    -- SHA-256 of what the browser holds.
    hash bytea not null,
    user_id uuid not null,
    -- What was shown already (RFC 8176).
    methods text[] not null,
    expires_at timestamptz not null,
    tries integer not null default 0,
    constraint sign_ins_under_way_pkey primary key (hash),
    constraint sign_ins_under_way_user_fkey foreign key (user_id) references users (id)
);

create index sign_ins_under_way_user_idx on sign_ins_under_way (user_id);
create index sign_ins_under_way_expiry_idx on sign_ins_under_way (expires_at);

-- When and how the session's user last showed who they are; unknown of sessions from before.
alter table refresh_families
    add column proven_at timestamptz,
    add column methods text[] not null default '{}';
