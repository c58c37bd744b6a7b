-- What somebody is told, and the mail that takes it to them.
create table notifications (
    id uuid not null,
    version bigint not null,
    user_id uuid not null,
    topic text not null,
    text text not null,
    order_id uuid not null,
    order_code text not null,
    delivery_id uuid,
    read boolean not null default false,
    happened_at timestamptz not null,
    -- The event behind it; the order's id where somebody asked for it before the event came.
    source_id uuid not null,
    mail text not null,
    mail_attempts integer not null default 0,
    mail_due_at timestamptz,
    constraint notifications_pkey primary key (id),
    constraint notifications_source_key unique (user_id, topic, source_id),
    constraint notifications_mail_check check (mail in ('none', 'waiting', 'sent', 'failed')),
    constraint notifications_due_check check ((mail = 'waiting') = (mail_due_at is not null))
);

create index notifications_user_idx on notifications (user_id, id desc);
create index notifications_order_idx on notifications (order_id);
create index notifications_due_idx on notifications (mail_due_at) where mail = 'waiting';
