-- A driver's id is their account's.
create table drivers (
    id uuid not null,
    vehicle_type text not null,
    -- The national identity card's number; never in an event.
    dr_nic text not null,
    is_available boolean not null,
    created_at timestamptz not null,
    -- How many events there are of them.
    version bigint not null,
    constraint drivers_pkey primary key (id),
    constraint drivers_vehicle_type_check check (vehicle_type in ('Car', 'Bike', 'Van', 'Truck'))
);

-- Sign-ups whose account may or may not exist yet: what the user service was asked for, under which
-- id. Whichever comes first, its answer or its event, makes the driver of it.
create table applications (
    id uuid not null,
    -- Of the form without its password, and of its idempotency key.
    fingerprint bytea not null,
    -- Came with an idempotency key, and so is answered again in the same way.
    keyed boolean not null,
    vehicle_type text not null,
    dr_nic text not null,
    created_at timestamptz not null,
    constraint applications_pkey primary key (id),
    constraint applications_fingerprint_key unique (fingerprint)
);

create index applications_created_at_idx on applications (created_at);
