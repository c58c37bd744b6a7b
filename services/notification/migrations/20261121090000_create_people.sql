-- Whom to write to, as the user service tells it. Somebody who is gone is an id and nothing else.
create table people (
    id uuid not null,
    email text not null,
    first_name text not null,
    role text not null,
    blocked boolean not null default false,
    deleted boolean not null default false,
    constraint people_pkey primary key (id)
);
