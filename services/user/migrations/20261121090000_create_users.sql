-- Accounts. A deleted account keeps its id and nothing that tells whose it was.
create table users (
    id uuid not null,
    version bigint not null,
    -- In lower case; null once deleted, so that the address is free again.
    email text,
    password_hash text not null,
    role text not null,
    first_name text not null,
    last_name text not null,
    phone text not null,
    address text not null,
    image text,
    lat double precision,
    lng double precision,
    verified boolean not null,
    blocked boolean not null,
    deleted boolean not null default false,
    created_at timestamptz not null,
    constraint users_pkey primary key (id),
    constraint users_email_key unique (email),
    constraint users_email_check check (deleted = (email is null)),
    constraint users_role_check check (role in ('admin', 'restaurant', 'delivery', 'customer')),
    constraint users_place_check check ((lat is null) = (lng is null))
);

create index users_admins_idx on users (id) where role = 'admin';
