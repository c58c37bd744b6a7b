-- What reviews show of who wrote them besides the name. Emptied when the account goes.
alter table people
    add column email text not null default '',
    -- A picture's URL.
    add column image text;

create table reviews (
    id uuid not null,
    item_id uuid not null,
    author_id uuid not null,
    rating smallint not null,
    -- Emptied when the review goes.
    comment text not null,
    approved boolean not null,
    -- A review that was written anew has the date of the new one.
    written_at timestamptz not null,
    deleted_at timestamptz,
    -- How many events there are of it.
    version bigint not null,
    constraint reviews_pkey primary key (id),
    constraint reviews_item_fkey foreign key (item_id) references items (id),
    constraint reviews_rating_check check (rating between 0 and 5)
);

-- One per customer and dish.
create unique index reviews_author_key on reviews (item_id, author_id) where deleted_at is null;
create index reviews_written_idx on reviews (written_at, id) where deleted_at is null;

-- What the approved reviews add up to: of a dish, and of all dishes that a restaurant has and had.
alter table items
    add column rating_sum bigint not null default 0,
    add column rating_count bigint not null default 0;
alter table restaurants
    add column rating_sum bigint not null default 0,
    add column rating_count bigint not null default 0;
