-- A checkout has one balance: what was captured of it less what went back, against what its live orders
-- cost. Payments give back parts, and an order that is to pay more is paid again.
alter table payments
    -- Cents that are to go back, those that have gone back among them.
    add column to_refund bigint not null default 0,
    -- Cents that have gone back.
    add column refunded bigint not null default 0,
    -- How often its order was paid before.
    add column round integer not null default 0;

update payments set status = 'refunded', due_at = null where status = 'refunding' and amount = 0;
update payments set to_refund = amount where status in ('refunding', 'refunded');
update payments set refunded = amount where status = 'refunded';

alter table payments
    add constraint payments_refund_check check (0 <= refunded and refunded <= to_refund and to_refund <= amount);

-- One capture an order and round, whatever else goes wrong.
drop index payments_order_key;
create unique index payments_order_key on payments (order_id, round) where status <> 'declined';

-- What is captured above the cost of live orders goes back, here as with every cancellation from now on:
-- of payments of orders that are off first, then of the newest.
with balances as (
    select o.checkout_id,
           coalesce(sum(p.amount - p.to_refund), 0)::bigint as captured,
           (select coalesce(sum(l.total), 0)::bigint from orders l
            where l.checkout_id = o.checkout_id and not l.cancelled) as cost
    from payments p
    join orders o on o.id = p.order_id
    where p.status in ('captured', 'refunding')
    group by o.checkout_id
), parts as (
    select p.id, p.amount,
           b.captured - b.cost - coalesce(sum(p.amount) over (
               partition by o.checkout_id order by o.cancelled desc, p.id desc
               rows between unbounded preceding and 1 preceding
           ), 0) as excess
    from payments p
    join orders o on o.id = p.order_id
    join balances b on b.checkout_id = o.checkout_id
    where p.status = 'captured'
)
update payments p
set to_refund = least(p.amount, parts.excess), status = 'refunding', due_at = now()
from parts
where parts.id = p.id and parts.excess > 0 and p.amount > 0;

-- Shares follow from the balance.
drop table shares;

-- The sandbox remembers how much it gave back.
alter table sandbox_charges add column given_back bigint not null default 0;
update sandbox_charges set given_back = coalesce(amount, 0) where refunded;
alter table sandbox_charges
    drop column refunded,
    add constraint sandbox_charges_given_back_check check (0 <= given_back and given_back <= coalesce(amount, 0));
