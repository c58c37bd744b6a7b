-- The minutes in which a restaurant answers an order, if it chose them.
alter table restaurants
    add column answer_minutes integer,
    add constraint restaurants_answer_minutes_check check (answer_minutes between 3 and 60);
