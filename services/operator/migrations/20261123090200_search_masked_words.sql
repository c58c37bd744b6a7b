-- The words that anybody may search for: those of the masked payload. Null where the log has not read an
-- event for them yet; such an event is found without words alone, until the service has read it.
alter table events add column words tsvector;

create index events_words_idx on events using gin (words);
create index events_unread_idx on events (stream, seq) where words is null;
