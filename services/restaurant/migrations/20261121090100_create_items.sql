create table items (
    id uuid not null,
    -- What people read and say: ITM-7K3M9QX2.
    code text not null,
    restaurant_id uuid not null,
    name text not null,
    -- Cents.
    price bigint not null,
    category text not null,
    description text not null,
    -- Picture URLs.
    images text[] not null,
    available boolean not null,
    approved boolean not null,
    created_at timestamptz not null,
    deleted_at timestamptz,
    -- How many events there are of it.
    version bigint not null,
    constraint items_pkey primary key (id),
    constraint items_code_key unique (code),
    constraint items_restaurant_fkey foreign key (restaurant_id) references restaurants (id),
    constraint items_price_check check (price > 0),
    constraint items_category_check check (category in ('fastfood', 'familymeals', 'dessert'))
);

create index items_restaurant_idx on items (restaurant_id, id);
