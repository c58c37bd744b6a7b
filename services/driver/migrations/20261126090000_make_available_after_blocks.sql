-- True of a driver whom a block made unavailable: its end makes them available again.
alter table drivers add column unavailable_by_block boolean not null default false;
