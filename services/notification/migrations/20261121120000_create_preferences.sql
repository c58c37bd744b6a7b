-- By which channels somebody wants to be told. Whoever never said is told by all of them.
create table preferences (
    user_id uuid not null,
    mail boolean not null,
    push boolean not null,
    in_app boolean not null,
    constraint preferences_pkey primary key (user_id)
);
