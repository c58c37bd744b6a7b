-- The kinds of things whose events a consumer takes: in this release, or in a newer one that has run. The
-- durable at the broker has them all, so that an older process beside a newer one takes nothing from it.
create table bus.families (
    consumer text not null,
    -- The subjects: `tiffin.order.*.*`.
    family text not null,
    -- Of one that was taken up later: the place up to which its history has been handed over, until all of it
    -- is, and whether the durable has it by now.
    caught_up_to bigint,
    widened boolean not null,
    constraint families_pkey primary key (consumer, family)
);
