-- Whose an order is, as the order service tells it.
create table orders (
    id uuid not null,
    code text not null,
    customer_id uuid not null,
    owner_id uuid not null,
    -- Whether the customer was told that it is confirmed.
    confirmed boolean not null default false,
    constraint orders_pkey primary key (id),
    constraint orders_code_key unique (code)
);
