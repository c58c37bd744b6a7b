-- Orders forget the address of a closed account.
update orders set address = '', dest_lat = null, dest_lng = null
where customer_id in (select id from people where deleted);
