-- What this service knows of others' things, from their events alone. Rows refer to each other by id
-- without foreign keys: events of different aggregates come in any order.

create table restaurants (
    id uuid not null,
    owner_id uuid not null,
    name text not null,
    is_open boolean not null,
    deleted boolean not null default false,
    constraint restaurants_pkey primary key (id)
);

create table items (
    id uuid not null,
    restaurant_id uuid not null,
    name text not null,
    -- Cents.
    price bigint not null,
    image text,
    available boolean not null,
    approved boolean not null,
    deleted boolean not null default false,
    constraint items_pkey primary key (id)
);

-- Names, addresses and phones are emptied when the account goes.
create table people (
    id uuid not null,
    email text not null,
    first_name text not null,
    last_name text not null,
    phone text not null,
    address text not null,
    lat double precision,
    lng double precision,
    blocked boolean not null default false,
    deleted boolean not null default false,
    constraint people_pkey primary key (id)
);

create table drivers (
    id uuid not null,
    constraint drivers_pkey primary key (id)
);

create table deliveries (
    order_id uuid not null,
    delivery_id uuid not null,
    status text not null,
    constraint deliveries_pkey primary key (order_id)
);
