-- Several may sign up with one address; the first who proves it has it.
alter table users drop constraint users_email_key;
create unique index users_email_key on users (email) where verified;
create index users_email_idx on users (email) where email is not null;
