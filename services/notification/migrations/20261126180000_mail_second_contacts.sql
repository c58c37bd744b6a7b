-- The address that gets a mail, too, of an order that has no answer shortly before its deadline.
alter table preferences add column second_contact text;
