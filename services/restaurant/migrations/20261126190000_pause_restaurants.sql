-- The ends of a pause and of a busy time; they may be past.
alter table restaurants
    add column paused_until timestamptz,
    add column busy_minutes integer,
    add column busy_until timestamptz,
    add constraint restaurants_busy_check
        check ((busy_minutes is null) = (busy_until is null) and busy_minutes between 1 and 60);
