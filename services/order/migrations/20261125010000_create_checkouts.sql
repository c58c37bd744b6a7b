-- The checkouts of each customer. Of those that run at once, the one that finds the number it read succeeds.
create table checkouts (
    customer_id uuid not null,
    number bigint not null,
    -- At least the customer's pending orders that are not paid: those that were paid or cancelled since the last
    -- count are still in it.
    unpaid bigint not null,
    constraint checkouts_pkey primary key (customer_id)
);
