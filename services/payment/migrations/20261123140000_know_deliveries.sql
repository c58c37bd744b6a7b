-- Deliveries of orders, from their events: what was captured for an order that is called off goes back once
-- its delivery has ended.
create table deliveries (
    order_id uuid not null,
    -- Called off: nobody brings it, from now on.
    is_over boolean not null,
    constraint deliveries_pkey primary key (order_id)
);

-- This service's own: orders whose confirmation has come, so that there is a delivery, whether its events
-- have come or not.
create table confirmed_orders (
    order_id uuid not null,
    constraint confirmed_orders_pkey primary key (order_id)
);
