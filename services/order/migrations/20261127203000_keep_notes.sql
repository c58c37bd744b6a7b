-- The customer's words to the kitchen about a dish. Orders of before have none.
alter table orders
    add column note text,
    add constraint orders_note_check check (char_length(note) <= 200);
