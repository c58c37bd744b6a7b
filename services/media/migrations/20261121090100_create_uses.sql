-- Who refers to which picture, by name, as events say. A picture may be referred to before it is here.
create table uses (
    name text not null,
    -- user, restaurant, item, order
    kind text not null,
    referrer uuid not null,
    constraint uses_pkey primary key (kind, referrer, name)
);

create index uses_name_idx on uses (name);
