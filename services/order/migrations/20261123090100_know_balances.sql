-- What was captured of each checkout, to the cent: an order is paid once that covers all live orders of its
-- checkout.
alter table payments
    add column checkout_id uuid,
    -- Cents.
    add column amount bigint,
    -- Cents of the amount that went back.
    add column refunded bigint not null default 0;

-- What earlier events said of amounts was not kept: each order's equal share of its checkout is what was
-- charged where no order was cancelled before the first payment. A rebuild of `order_PAYMENTS` has it exact.
with shares as (
    select id, checkout_id, sum(total) over whole as total,
           round(sum(total) over whole / count(*) over whole)::bigint as part,
           count(*) over whole as count, row_number() over (partition by checkout_id order by id) as nth
    from orders
    window whole as (partition by checkout_id)
)
update payments p
set checkout_id = s.checkout_id,
    amount = greatest(case when s.nth = s.count then s.total - s.part * (s.count - 1) else s.part end, 0)
from shares s
where s.id = p.order_id;

delete from payments where checkout_id is null;
alter table payments
    alter column checkout_id set not null,
    alter column amount set not null;

create index payments_checkout_idx on payments (checkout_id);
