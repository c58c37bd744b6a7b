-- The deadline for the restaurant's answer, until one comes, and the number of reminders so far. Orders of before have
-- none: nothing said so when they were placed.
alter table orders
    add column answer_by timestamptz,
    add column reminders integer not null default 0,
    -- The next reminder, or the deadline after the last one.
    add column due_at timestamptz,
    add constraint orders_deadline_check
        check ((answer_by is null) = (due_at is null)),
    drop constraint orders_cancelled_by_check,
    add constraint orders_cancelled_by_check
        check (cancelled_by in ('customer', 'restaurant', 'administrator', 'deadline'));

create index orders_due_idx on orders (due_at, id) where due_at is not null;
-- The last answers of a restaurant.
create index orders_answered_idx on orders (restaurant_id, confirmed_at desc) where confirmed_at is not null;

-- The minutes in which a restaurant answers, if it chose them.
alter table restaurants add column answer_minutes integer;
