-- What a provider takes after it refused goes back. Such a payment stands in the way of no other one: the
-- order may be paid in the same round, and the request's key used again.
drop index payments_order_key;
create unique index payments_order_key on payments (order_id, round)
    where status <> 'declined' and decline_reason is null;
drop index payments_request_key;
create unique index payments_request_key on payments (customer_id, request_key)
    where status <> 'declined' and decline_reason is null;
