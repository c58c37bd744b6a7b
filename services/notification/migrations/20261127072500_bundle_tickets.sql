-- The dish of each order, and the number of orders of its ticket: one checkout's orders from one restaurant. Unknown of
-- orders that were placed before, until a rebuild of notification_ORDERS.
alter table orders
    add column item_name text,
    add column quantity integer,
    add column ticket_orders integer;

-- The notification that stands for this one in the reader's list, by mail and by push.
alter table notifications add column bundle_id uuid;
create index notifications_bundle_idx on notifications (bundle_id) where bundle_id is not null;

-- The topic is the sentence's code from now on, so that other news is told by itself. Rows of the release before name
-- no notification.
alter table occasions
    add column notification_id uuid,
    add column begun_at timestamptz not null default now();
