-- An event that failed is tried again from here, so that it holds no place at the broker. Without a
-- time it is a dead letter, which waits for an operator.
alter table bus.blocked add column retry_at timestamptz;
alter table bus.blocked add column tries integer not null default 0;

create index blocked_retry_at_idx on bus.blocked (consumer, retry_at) where retry_at is not null;
