-- Restaurants forget the phone of an owner whose account is closed.
update restaurants set phone = '' where owner_id in (select id from people where deleted);
