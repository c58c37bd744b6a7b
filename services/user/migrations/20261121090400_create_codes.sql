-- The code that proves an e-mail address, one a user at most.
create table codes (
    user_id uuid not null,
    hash text not null,
    sent_at timestamptz not null,
    expires_at timestamptz not null,
    tries integer not null,
    constraint codes_pkey primary key (user_id),
    constraint codes_user_fkey foreign key (user_id) references users (id)
);
