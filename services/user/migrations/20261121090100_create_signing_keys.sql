-- The keys that tokens are signed with. The newest signs; one that was followed by another is still
-- published for as long as tokens it signed may live.
create table signing_keys (
    kid uuid not null,
    -- PKCS #8.
    private_key bytea not null,
    -- The 32 bytes of RFC 8032.
    public_key bytea not null,
    created_at timestamptz not null,
    retired_at timestamptz,
    constraint signing_keys_pkey primary key (kid)
);

create unique index signing_keys_current_key on signing_keys ((true)) where retired_at is null;
