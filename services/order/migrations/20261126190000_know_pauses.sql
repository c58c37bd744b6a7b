-- The end of a restaurant's pause; it may be past.
alter table restaurants add column paused_until timestamptz;
