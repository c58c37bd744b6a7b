-- The end of the audit's chain, one row: a transaction that adds an event to OPERATIONS holds it.
create table chain (
    is_one boolean not null default true,
    -- The place of the last event in the chain.
    number bigint not null default 0,
    -- Its hash; null before the first.
    hash text,
    constraint chain_pkey primary key (is_one),
    constraint chain_is_one_check check (is_one),
    constraint chain_hash_check check ((number = 0) = (hash is null))
);

insert into chain default values;
