-- Accounts that are gone and whose past is to be forgotten where events are kept. A row is committed
-- with the removal and goes once all is done.
create table erasures (
    user_id uuid not null,
    requested_at timestamptz not null,
    next_attempt_at timestamptz not null,
    -- When the past was forgotten for the first time.
    erased_at timestamptz,
    constraint erasures_pkey primary key (user_id)
);

create index erasures_due_idx on erasures (next_attempt_at);
