-- What the built-in sandbox provider remembers, as a real one would on its own side: one charge a key.
create table sandbox_charges (
    key uuid not null,
    amount bigint,
    -- 'captured', else why not.
    result text not null,
    refunded boolean not null default false,
    constraint sandbox_charges_pkey primary key (key)
);
