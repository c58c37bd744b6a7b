-- Orders that are neither delivered nor called off, as the order service tells it: nobody they
-- concern may close their account.
create table orders_under_way (
    order_id uuid not null,
    customer_id uuid not null,
    owner_id uuid not null,
    driver_id uuid,
    constraint orders_under_way_pkey primary key (order_id)
);

create index orders_under_way_customer_idx on orders_under_way (customer_id);
create index orders_under_way_owner_idx on orders_under_way (owner_id);
create index orders_under_way_driver_idx on orders_under_way (driver_id);
