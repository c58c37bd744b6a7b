-- Which orders belong together: those of one checkout at one restaurant. Unknown of orders placed
-- before.
alter table orders
    add column checkout_id uuid,
    add column restaurant_id uuid;

create index orders_checkout_idx on orders (checkout_id, restaurant_id);

-- What a reader was last mailed or pushed of one checkout at one restaurant: the time of the first of
-- the events that this one mail stands for.
create table occasions (
    checkout_id uuid not null,
    restaurant_id uuid not null,
    user_id uuid not null,
    topic text not null,
    since timestamptz not null,
    constraint occasions_pkey primary key (checkout_id, restaurant_id, user_id, topic)
);

create index occasions_user_idx on occasions (user_id);
create index occasions_since_idx on occasions (since);
