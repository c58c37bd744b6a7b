//! The rows that this service holds about an account, as sections of its copy.

use tiffin_bus::{personal::Personal, personal_sections};

/// Owners and drivers get their side of an order: not the customer, the address and its place (`customer_id`,
/// `address`, `dest_lat`, `dest_lng`), nor the note to the kitchen (`note`), which are the customer's. Customers get no
/// ids of owners and drivers.
pub static PERSONAL: Personal = Personal {
    sections: personal_sections! {
        "orders" of ["orders"] =
            r#"select id as "key!", jsonb_build_object(
                'id', id, 'code', code, 'checkoutId', checkout_id, 'restaurantId', restaurant_id,
                'dishId', item_id, 'dish', item_name, 'image', image, 'note', note, 'quantity', quantity,
                'priceCents', price, 'totalCents', total, 'address', address, 'lat', dest_lat, 'lng', dest_lng,
                'status', status, 'approved', approved, 'estimatedTime', estimated_time, 'placedAt', created_at,
                'answerBy', answer_by,
                'confirmedAt', confirmed_at, 'deliveredAt', delivered_at, 'deletedAt', deleted_at,
                'cancelledBy', cancelled_by, 'cancelReason', cancel_reason, 'cancelNote', cancel_note) as "row!"
             from orders where customer_id = $1 and id > $2 order by id limit $3"#;
        "ordersReceived" of ["orders"] =
            r#"select id as "key!", jsonb_build_object(
                'id', id, 'code', code, 'restaurantId', restaurant_id, 'dishId', item_id, 'dish', item_name,
                'quantity', quantity, 'priceCents', price, 'totalCents', total, 'status', status,
                'approved', approved, 'placedAt', created_at, 'answerBy', answer_by, 'confirmedAt', confirmed_at,
                'deliveredAt', delivered_at, 'deletedAt', deleted_at, 'cancelledBy', cancelled_by,
                'cancelReason', cancel_reason) as "row!"
             from orders where owner_id = $1 and id > $2 order by id limit $3"#;
        "ordersCarried" of ["orders"] =
            r#"select id as "key!", jsonb_build_object(
                'id', id, 'code', code, 'restaurantId', restaurant_id, 'dish', item_name, 'quantity', quantity,
                'status', status, 'confirmedAt', confirmed_at, 'deliveredAt', delivered_at) as "row!"
             from orders where driver_id = $1 and id > $2 order by id limit $3"#;
        "checkouts" of ["checkouts"] =
            r#"select customer_id as "key!", jsonb_build_object('number', number, 'unpaid', unpaid) as "row!"
             from checkouts where customer_id = $1 and customer_id > $2 order by customer_id limit $3"#;
    },
    left_out: &[
        ("people", "copies of profiles, which the user service has"),
        (
            "printing",
            "restaurants with a printer, and the printer's state",
        ),
        (
            "print_jobs",
            "orders that went to a printer, which the section of orders has",
        ),
        (
            "restaurants",
            "copies of restaurants, which the restaurant service has",
        ),
        (
            "items",
            "copies of dishes, which the restaurant service has",
        ),
        (
            "drivers",
            "copies of drivers' vehicles, which the driver service has",
        ),
        (
            "deliveries",
            "states of deliveries, which the delivery service has",
        ),
        (
            "refunds",
            "amounts and reasons of refunds, which the payment service has",
        ),
        (
            "refund_parts",
            "amounts of refunds, which the payment service has",
        ),
        (
            "payments",
            "amounts of payments, which the payment service has",
        ),
    ],
};
