-- Imports into streams that were empty when they began. The id is the operation's.
create table imports (
    id uuid not null,
    stream text not null,
    actor uuid not null,
    is_open boolean not null default true,
    began_at timestamptz not null,
    updated_at timestamptz not null,
    -- The stream's last place, as this import left it.
    last_sequence bigint not null default 0,
    count bigint not null default 0,
    first_event uuid,
    last_event uuid,
    -- Of all events so far, in their order.
    hash text not null,
    constraint imports_pkey primary key (id)
);

create unique index imports_open_idx on imports (stream) where is_open;

-- What an open import has stored: gone once it has ended.
create table imported (
    import uuid not null,
    event uuid not null,
    aggregate uuid not null,
    version bigint not null,
    hash text not null,
    constraint imported_pkey primary key (import, event),
    constraint imported_import_fkey foreign key (import) references imports (id)
);

create index imported_aggregate_idx on imported (import, aggregate, version);
