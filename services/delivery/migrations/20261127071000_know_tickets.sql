-- The checkout of an order: those of one checkout from one restaurant are a ticket, which one driver brings. Unknown of
-- orders that were placed before, until a rebuild of delivery_ORDERS. Unique, so that a rebuild has it from the
-- beginning.
alter table orders add column checkout_id uuid;
create unique index orders_checkout_idx on orders (checkout_id, id);
