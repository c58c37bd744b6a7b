-- Read models that a rebuild replaced (their tables lie in schema `replaced`): how far each consumer
-- was at that moment, to go back there.
create table bus.replaced (
    consumer text not null,
    position bigint not null,
    replaced_at timestamptz not null,
    constraint replaced_pkey primary key (consumer)
);

create table bus.replaced_reached (
    consumer text not null,
    aggregate uuid not null,
    sequence bigint not null,
    constraint replaced_reached_pkey primary key (consumer, aggregate)
);
