-- Where a notification stands by push, and whether its reader's list shows it.
alter table notifications
    add column push text not null default 'none',
    add column in_app boolean not null default true,
    add constraint notifications_push_check check (push in ('none', 'waiting', 'sent', 'failed'));

create index notifications_unread_idx on notifications (user_id) where in_app and not read;

-- One notification on its way to one browser.
create table pushes (
    notification_id uuid not null,
    subscription_id uuid not null,
    attempts integer not null default 0,
    due_at timestamptz not null,
    constraint pushes_pkey primary key (notification_id, subscription_id),
    constraint pushes_notification_fkey foreign key (notification_id) references notifications (id) on delete cascade,
    constraint pushes_subscription_fkey foreign key (subscription_id) references subscriptions (id)
);

create index pushes_due_idx on pushes (due_at);
create index pushes_subscription_idx on pushes (subscription_id);
