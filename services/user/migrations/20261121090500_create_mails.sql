-- Mail to be sent, committed with the change that calls for it. A row goes once it is sent or of no
-- use any more: a code in it is not kept.
create table mails (
    id uuid not null,
    recipient text not null,
    subject text not null,
    text_body text not null,
    html_body text not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    expires_at timestamptz not null,
    constraint mails_pkey primary key (id)
);

create index mails_due_idx on mails (next_attempt_at);
