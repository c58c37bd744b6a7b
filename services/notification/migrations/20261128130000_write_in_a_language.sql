-- The language of mails; English without one.
alter table preferences
    add column language text,
    add constraint preferences_language_check check (language in ('en', 'si', 'ta'));
