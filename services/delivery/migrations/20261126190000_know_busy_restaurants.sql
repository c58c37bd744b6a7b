-- The minutes that a busy restaurant needs more for each order, and the end of that; it may be past.
alter table restaurants
    add column busy_minutes integer not null default 0,
    add column busy_until timestamptz;
