-- The names of restaurants, from their events alone. Those of deleted ones are kept for their orders.
create table restaurants (
    id uuid not null,
    name text not null,
    constraint restaurants_pkey primary key (id)
);
