create table pictures (
    -- What it is kept under: names are for people.
    id uuid not null,
    name text not null,
    -- Whose it is; nobody's where it was uploaded before there was an account.
    owner uuid,
    format text not null,
    -- Pixels.
    width integer not null,
    height integer not null,
    -- Bytes.
    size bigint not null,
    etag text not null,
    -- Seconds that browsers may keep it.
    cache integer not null,
    -- Whether it lies on the shelf: the name is taken before.
    ready boolean not null default false,
    uploaded_at timestamptz not null,
    -- Since when nobody refers to it; null while somebody does.
    unused_since timestamptz,
    constraint pictures_pkey primary key (id),
    constraint pictures_name_key unique (name),
    constraint pictures_format_check check (format in ('jpeg', 'png', 'webp', 'gif')),
    constraint pictures_size_check check (width > 0 and height > 0 and size > 0 and cache >= 0)
);

create index pictures_unused_idx on pictures (unused_since) where unused_since is not null;
