-- The time up to which events of the stream may have left the outbox for the archive; null before the first has.
alter table bus.heads add column trimmed_until timestamptz;

-- The outbox is a queue: a row is appended, marked as published, and deleted once the archive has its event. A part
-- of the table as a threshold would let dead rows grow with it, so that room is used again too late. Every few
-- thousand dead rows are some megabytes, and a vacuum reads only the pages that have them.
--
-- Pages are filled whole (fillfactor 100). Room for the mark would stay empty afterwards: the mark changes a column of
-- the index of unpublished rows, is never an update in place for the indexes, and its old version is vacuumed soon.
alter table bus.outbox set (
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 5000,
    toast.autovacuum_vacuum_scale_factor = 0,
    toast.autovacuum_vacuum_threshold = 5000,
    fillfactor = 100
);
