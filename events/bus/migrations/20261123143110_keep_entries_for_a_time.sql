-- How long the broker keeps it; for ever, as far as its stream does, without one.
alter table bus.outbox add column keep_seconds integer;
