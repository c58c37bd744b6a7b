-- What this service knows of accounts, from their events alone: names for the owners of restaurants.
-- They are emptied when the account goes.
create table people (
    id uuid not null,
    first_name text not null,
    last_name text not null,
    blocked boolean not null default false,
    deleted boolean not null default false,
    constraint people_pkey primary key (id)
);
