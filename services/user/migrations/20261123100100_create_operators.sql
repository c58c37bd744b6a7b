-- Who operates the event history. No role includes it but the one that is nothing else.
create table operators (
    user_id uuid not null,
    granted_at timestamptz not null,
    constraint operators_pkey primary key (user_id),
    constraint operators_user_fkey foreign key (user_id) references users (id)
);

-- Administrators from before were operators.
insert into operators (user_id, granted_at)
    select id, now() from users where role = 'admin' and not deleted;

alter table users drop constraint users_role_check;
alter table users add constraint users_role_check
    check (role in ('admin', 'restaurant', 'delivery', 'customer', 'operator'));
