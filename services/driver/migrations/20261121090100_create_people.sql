-- What this service knows of drivers' accounts, from their events alone. Everything but the id is
-- emptied when the account goes.
create table people (
    id uuid not null,
    email text not null,
    first_name text not null,
    last_name text not null,
    address text not null,
    phone text not null,
    image text,
    blocked boolean not null default false,
    deleted boolean not null default false,
    constraint people_pkey primary key (id)
);
