-- What the geocoder said of a place, so that it is asked once: places are cells of about ten metres.
create table geocodes (
    -- Ten-thousandths of a degree.
    lat integer not null,
    lng integer not null,
    display_name text not null,
    found_at timestamptz not null,
    constraint geocodes_pkey primary key (lat, lng)
);

create index geocodes_found_idx on geocodes (found_at);
