-- Orders forget the address of a closed account, and deliveries their driver's last place.
update orders set address = '', dest_lat = null, dest_lng = null
where customer_id in (select id from people where deleted);
update deliveries set lat = null, lng = null, position_at = null
where driver_id in (select id from people where deleted);

-- Unique, so that a rebuild has it from the beginning.
create unique index orders_customer_idx on orders (customer_id, id);
