create table restaurants (
    id uuid not null,
    owner_id uuid not null,
    name text not null,
    address text not null,
    -- The shop's own number.
    phone text not null,
    description text not null,
    -- Picture URLs.
    images text[] not null,
    is_open boolean not null,
    verified boolean not null,
    -- Where it stands, in degrees, where known.
    lat double precision,
    lng double precision,
    created_at timestamptz not null,
    deleted_at timestamptz,
    -- How many events there are of it.
    version bigint not null,
    constraint restaurants_pkey primary key (id),
    constraint restaurants_place_check check ((lat is null) = (lng is null))
);

create index restaurants_owner_idx on restaurants (owner_id, id);
