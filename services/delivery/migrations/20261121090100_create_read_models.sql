-- What this service knows of others' things, from their events alone. Rows refer to each other by id
-- without foreign keys: events of different aggregates come in any order.

-- What there is to bring.
create table orders (
    id uuid not null,
    code text not null,
    customer_id uuid not null,
    owner_id uuid not null,
    restaurant_id uuid not null,
    item_name text not null,
    image text,
    quantity integer not null,
    -- Cents.
    price bigint not null,
    total bigint not null,
    address text not null,
    dest_lat double precision,
    dest_lng double precision,
    -- Cancelled or deleted: nobody brings it any more.
    called_off boolean not null default false,
    constraint orders_pkey primary key (id),
    constraint orders_code_key unique (code)
);

create table restaurants (
    id uuid not null,
    name text not null,
    lat double precision,
    lng double precision,
    constraint restaurants_pkey primary key (id)
);

-- Names, addresses and phones are emptied when the account goes.
create table people (
    id uuid not null,
    role text not null,
    email text not null,
    first_name text not null,
    last_name text not null,
    phone text not null,
    blocked boolean not null default false,
    deleted boolean not null default false,
    constraint people_pkey primary key (id)
);
