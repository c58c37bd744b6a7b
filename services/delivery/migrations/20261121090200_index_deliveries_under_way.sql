-- What a driver has under way is read whenever one of their deliveries begins or ends, however many they
-- have brought.
create index deliveries_under_way_idx on deliveries (driver_id, id)
    where cancelled_at is null and status <> 'delivered';
