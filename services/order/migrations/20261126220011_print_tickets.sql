-- The restaurants whose confirmed tickets are printed: those that a print agent has registered for.
create table printing (
    restaurant_id uuid not null,
    owner_id uuid not null,
    -- The reason why the agent can't print, as it last said.
    problem text,
    -- The agent's last call, to the half minute.
    seen_at timestamptz not null,
    constraint printing_pkey primary key (restaurant_id)
);

-- Tickets to print. The first job of a ticket has the number 0; dishes that are confirmed after it was printed and
-- reprints that the owner asks for have the next ones.
create table print_jobs (
    id uuid not null,
    checkout_id uuid not null,
    restaurant_id uuid not null,
    owner_id uuid not null,
    number integer not null,
    kind text not null,
    -- Those that it shall print; once it is claimed, those that it does print.
    orders uuid[] not null,
    state text not null,
    -- The agent that claimed it last.
    agent_id uuid,
    -- The end of the agent's lease. After it the ticket may have been printed.
    claimed_until timestamptz,
    problem text,
    created_at timestamptz not null,
    settled_at timestamptz,
    constraint print_jobs_pkey primary key (id),
    constraint print_jobs_ticket_key unique (checkout_id, restaurant_id, number),
    constraint print_jobs_kind_check check (kind in ('first', 'added', 'reprint')),
    constraint print_jobs_state_check check (state in ('waiting', 'printing', 'printed', 'doubtful', 'dropped')),
    constraint print_jobs_claim_check check ((state = 'printing') = (claimed_until is not null)),
    constraint print_jobs_settled_check
        check ((state in ('printed', 'doubtful', 'dropped')) = (settled_at is not null))
);

create index print_jobs_open_idx on print_jobs (restaurant_id, created_at) where state in ('waiting', 'printing');
create index print_jobs_owner_idx on print_jobs (owner_id, created_at);
