-- Trigrams forgive what people mistype: 'biriyani' finds Biryani.
create extension if not exists pg_trgm;

alter table items
    add column search tsvector not null generated always as (
        setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', description), 'C')
    ) stored;
alter table restaurants
    add column search tsvector not null generated always as (
        setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', description), 'C')
        || setweight(to_tsvector('simple', address), 'D')
    ) stored;

create index items_search_idx on items using gin (search) where deleted_at is null;
create index items_name_idx on items using gin (name gin_trgm_ops) where deleted_at is null;
create index restaurants_search_idx on restaurants using gin (search) where deleted_at is null;
create index restaurants_name_idx on restaurants using gin (name gin_trgm_ops) where deleted_at is null;
