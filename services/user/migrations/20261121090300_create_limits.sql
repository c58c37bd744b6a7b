-- How often something was done since a moment: failed logins of an account, of an address.
create table limits (
    key text not null,
    count integer not null,
    since timestamptz not null,
    constraint limits_pkey primary key (key)
);
