-- How often something was uploaded since a moment: from a network, by an account.
create table limits (
    key text not null,
    count integer not null,
    since timestamptz not null,
    constraint limits_pkey primary key (key)
);
