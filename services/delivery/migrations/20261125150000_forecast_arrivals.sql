-- The expected arrival: when eight deliveries in ten arrive, and the time of that forecast. A delivery under way is
-- looked at again when it is due.
alter table deliveries
    add column status_at timestamptz not null default now(),
    add column eta_earliest timestamptz,
    add column eta_latest timestamptz,
    add column eta_at timestamptz,
    add column eta_due_at timestamptz,
    -- What the driver rides, where it is known.
    add column vehicle text;

update deliveries set status_at = created_at;
update deliveries set eta_due_at = created_at where cancelled_at is null and status <> 'delivered';

create index deliveries_eta_due_idx on deliveries (eta_due_at) where eta_due_at is not null;

-- Past and present deliveries as forecasts learn from them, from the events of deliveries alone.
create table trips (
    delivery_id uuid not null,
    restaurant_id uuid not null,
    owner_id uuid not null,
    driver_id uuid not null,
    ordered_at timestamptz,
    assigned_at timestamptz not null,
    set_out_at timestamptz,
    -- Seconds of the ride with the food by the router, as it was when the driver set out.
    ride_seconds double precision,
    delivered_at timestamptz,
    constraint trips_pkey primary key (delivery_id)
);

create index trips_delivered_at_idx on trips (delivered_at) where delivered_at is not null;

-- Each range that was shown. It is scored by the delivery's arrival.
create table shown_ranges (
    delivery_id uuid not null,
    shown_at timestamptz not null,
    earliest timestamptz not null,
    latest timestamptz not null,
    expected_at timestamptz not null,
    constraint shown_ranges_pkey primary key (delivery_id, shown_at)
);
