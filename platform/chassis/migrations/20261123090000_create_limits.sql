-- How often something was done since a moment, by account and by network.
create table http.limits (
    key text not null,
    count integer not null,
    since timestamptz not null,
    until timestamptz not null,
    constraint limits_pkey primary key (key)
);

-- Expired counters are deleted by their end.
create index limits_until_idx on http.limits (until);
