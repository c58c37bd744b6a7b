-- One row is one line of a cart; the rows of one cart share a checkout.
create table orders (
    id uuid not null,
    -- What people read and say: ORD-7K3M9QX2.
    code text not null,
    checkout_id uuid not null,
    customer_id uuid not null,
    restaurant_id uuid not null,
    owner_id uuid not null,
    driver_id uuid,
    item_id uuid not null,
    item_name text not null,
    image text,
    quantity integer not null,
    -- Cents.
    price bigint not null,
    total bigint not null,
    address text not null,
    dest_lat double precision,
    dest_lng double precision,
    status text not null,
    approved boolean not null,
    estimated_time timestamptz,
    created_at timestamptz not null,
    deleted_at timestamptz,
    -- How many events there are of it.
    version bigint not null,
    constraint orders_pkey primary key (id),
    constraint orders_code_key unique (code),
    constraint orders_quantity_check check (quantity between 1 and 99),
    constraint orders_total_check check (total = price * quantity),
    constraint orders_destination_check check ((dest_lat is null) = (dest_lng is null)),
    constraint orders_status_check
        check (status in ('pending', 'confirmed', 'preparing', 'dispatched', 'delivered', 'cancelled')),
    constraint orders_driver_check check (status <> 'confirmed' or driver_id is not null)
);

create index orders_customer_idx on orders (customer_id, id);
create index orders_owner_idx on orders (owner_id, id);
create index orders_driver_idx on orders (driver_id, id);
create index orders_checkout_idx on orders (checkout_id);
