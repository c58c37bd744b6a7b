-- Where each driver was last, by the device's clock, from the positions of their deliveries. Rows are
-- updated often, so pages keep room for new versions beside the old.
create table positions (
    driver_id uuid not null,
    lat double precision not null,
    lng double precision not null,
    at timestamptz not null,
    constraint positions_pkey primary key (driver_id)
) with (fillfactor = 70);
