-- When the process that works on an operation last said so. One that has not for a while is gone.
alter table operations add column seen_at timestamptz;
