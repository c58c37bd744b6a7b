-- What the user service answered of a new driver's account, until its event comes. It stands apart from
-- the read model of accounts, which holds nothing but what events told and so can be rebuilt from them.
create table newcomers (
    id uuid not null,
    email text not null,
    first_name text not null,
    last_name text not null,
    address text not null,
    phone text not null,
    image text,
    constraint newcomers_pkey primary key (id)
);
