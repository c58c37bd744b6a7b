-- The side that cancelled an order, with its reason and its note to the customer. Orders that were cancelled before
-- have none.
alter table orders
    add column cancelled_by text,
    add column cancel_reason text,
    add column cancel_note text,
    add constraint orders_cancelled_by_check
        check (cancelled_by in ('customer', 'restaurant', 'administrator')),
    add constraint orders_cancel_reason_check
        check (cancel_reason in ('sold_out', 'closing_early', 'too_busy', 'out_of_reach', 'customer_asked', 'other')),
    add constraint orders_cancellation_check
        check (case when cancelled_by is null then cancel_reason is null and cancel_note is null
                    else status = 'cancelled' end);
