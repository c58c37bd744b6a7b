-- Notifications forget their text with their reader.
update notifications set text = '' where user_id in (select id from people where deleted);
