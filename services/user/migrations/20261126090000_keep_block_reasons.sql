-- The reason that an administrator gave for a block; null without one, and while the account is not blocked.
alter table users add column block_reason text
    check (block_reason in ('fraud', 'abuse', 'safety', 'unreliable', 'other'));
