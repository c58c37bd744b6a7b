-- When the restaurant first took an order, and when it was brought; null where it was not (any more).
alter table orders
    add column confirmed_at timestamptz,
    add column delivered_at timestamptz;

-- What happened before is told by the events.
update orders o set confirmed_at = e.at
from (
    select split_part(subject, '.', 3)::uuid as id, min((body::jsonb ->> 'time')::timestamptz) as at
    from bus.outbox where subject like 'tiffin.order.%.confirmed' group by 1
) e
where e.id = o.id;

update orders o set delivered_at = e.at
from (
    select split_part(subject, '.', 3)::uuid as id, max((body::jsonb ->> 'time')::timestamptz) as at
    from bus.outbox where subject like 'tiffin.order.%.delivered' group by 1
) e
where e.id = o.id and o.status = 'delivered';

create index orders_created_idx on orders (created_at) where deleted_at is null;
