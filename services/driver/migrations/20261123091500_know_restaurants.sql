-- Whose each restaurant is, where it stands and whether an administrator verified it, from its events
-- alone: only owners of verified restaurants see drivers.
create table restaurants (
    id uuid not null,
    owner_id uuid not null,
    verified boolean not null,
    -- Degrees, where known.
    lat double precision,
    lng double precision,
    constraint restaurants_pkey primary key (id)
);

create index restaurants_owner_idx on restaurants (owner_id, id) where verified;
