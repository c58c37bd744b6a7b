-- One delivery brings one order. Rows are updated with each of the driver's positions, so pages keep
-- room for new versions beside the old.
create table deliveries (
    id uuid not null,
    order_id uuid not null,
    -- The order's readable code.
    order_code text not null,
    customer_id uuid not null,
    owner_id uuid not null,
    restaurant_id uuid not null,
    driver_id uuid not null,
    status text not null,
    estimated_time timestamptz not null,
    created_at timestamptz not null,
    cancelled_at timestamptz,
    -- How many events there are of it.
    version bigint not null,
    -- Where the driver was last, by the device's clock.
    lat double precision,
    lng double precision,
    position_at timestamptz,
    constraint deliveries_pkey primary key (id),
    constraint deliveries_order_id_key unique (order_id),
    constraint deliveries_order_code_key unique (order_code),
    constraint deliveries_status_check check (status in ('picked up', 'on the way', 'delivered')),
    constraint deliveries_position_check check ((lat is null) = (lng is null) and (lat is null) = (position_at is null))
) with (fillfactor = 70);

create index deliveries_customer_idx on deliveries (customer_id, id);
create index deliveries_owner_idx on deliveries (owner_id, id);
create index deliveries_driver_idx on deliveries (driver_id, id);
