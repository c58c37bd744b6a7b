-- What this service knows of others' things, from their events alone. Rows refer to each other by id
-- without foreign keys: events of different aggregates come in any order.

create table orders (
    id uuid not null,
    code text not null,
    checkout_id uuid not null,
    customer_id uuid not null,
    owner_id uuid not null,
    restaurant_id uuid not null,
    item_name text not null,
    quantity integer not null,
    -- Cents.
    price bigint not null,
    total bigint not null,
    address text not null,
    placed_at timestamptz not null,
    -- Called off or taken off the lists: not to be paid any more.
    cancelled boolean not null default false,
    -- This service's own: the order's share of its checkout in cents, fixed by the first payment.
    share bigint,
    constraint orders_pkey primary key (id)
);

create index orders_code_idx on orders (code);
create index orders_checkout_idx on orders (checkout_id, id);

create table restaurants (
    id uuid not null,
    name text not null,
    address text not null,
    phone text not null,
    constraint restaurants_pkey primary key (id)
);

-- Emptied when the account goes.
create table people (
    id uuid not null,
    name text not null,
    email text not null,
    constraint people_pkey primary key (id)
);
