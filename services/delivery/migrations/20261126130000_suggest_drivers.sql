-- Drivers as their events say: who takes deliveries, and with what.
create table drivers (
    id uuid not null,
    vehicle_type text not null,
    is_available boolean not null,
    constraint drivers_pkey primary key (id)
);

create index drivers_available_idx on drivers (id) where is_available;

-- Only owners of verified restaurants get suggestions. A rebuild of delivery_CATALOG fills it for those that there are.
alter table restaurants add column verified boolean not null default false;

-- The drivers who were suggested for an order, and what its owner and they made of it.
create table suggestions (
    id uuid not null,
    order_id uuid not null,
    -- The order's readable code.
    order_code text not null,
    owner_id uuid not null,
    restaurant_id uuid not null,
    -- Those suggested last, the best one first.
    drivers uuid[] not null default '{}',
    declined uuid[] not null default '{}',
    picked_driver uuid,
    picked_at timestamptz,
    -- How many events there are of it.
    version bigint not null default 0,
    constraint suggestions_pkey primary key (id),
    constraint suggestions_order_id_key unique (order_id),
    constraint suggestions_pick_check check ((picked_driver is null) = (picked_at is null))
);

create index suggestions_owner_idx on suggestions (owner_id, id);
create index suggestions_picked_idx on suggestions (picked_driver, picked_at) where picked_driver is not null;
