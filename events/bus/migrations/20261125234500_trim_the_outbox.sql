-- The time up to which events of the stream may have left the outbox for the archive; null before the first has.
alter table bus.heads add column trimmed_until timestamptz;

-- The outbox is a queue: a row is appended, marked as published, and deleted once the archive has its event. A part
-- of the table as a threshold would let dead rows grow with it, so that room is used again too late. Every few
-- thousand dead rows are some megabytes, and a vacuum reads only the pages that have them.
--
-- Pages are filled whole. Room for the mark does not pay: the mark changes a column that an index names, so that it is
-- never a heap-only update, and the room stays empty afterwards. 20,000 rows that were marked, with later ones deleted
-- and vacuumed at this threshold, took 35 MB; with a fillfactor of 85 they took 39 MB, with 50 they took 69 MB.
alter table bus.outbox set (
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 5000,
    toast.autovacuum_vacuum_scale_factor = 0,
    toast.autovacuum_vacuum_threshold = 5000,
    fillfactor = 100
);
