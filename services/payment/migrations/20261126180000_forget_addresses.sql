-- Orders and restaurants forget the address and the phone of a closed account. Restaurants without an order get their
-- owner with their next event, or by a rebuild.
alter table people add column deleted boolean not null default false;
update people set deleted = true where name = '' and email = '';

alter table restaurants add column owner_id uuid;
update restaurants r set owner_id = (select o.owner_id from orders o where o.restaurant_id = r.id limit 1);

update orders set address = '' where customer_id in (select id from people where deleted);
update restaurants set phone = '' where owner_id in (select id from people where deleted);

-- Unique, so that a rebuild has it from the beginning.
create unique index orders_customer_idx on orders (customer_id, id);
create unique index restaurants_owner_idx on restaurants (owner_id, id);
