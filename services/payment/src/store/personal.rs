//! The rows that this service holds about an account, as sections of its copy.

use tiffin_bus::{personal::Personal, personal_sections};

/// Owners get what was paid for their orders, without the customer's address and card (`customer_id`, `address`,
/// `card_brand`, `card_last4`, `decline_reason`). Of a card, nothing else than brand and last four digits is stored.
pub static PERSONAL: Personal = Personal {
    sections: personal_sections! {
        "payments" of ["payments"] =
            r#"select p.id as "key!", jsonb_build_object(
                'id', p.id, 'orderId', p.order_id, 'order', o.code, 'amountCents', p.amount, 'kind', p.kind,
                'cardBrand', p.card_brand, 'cardLast4', p.card_last4, 'status', p.status,
                'declineReason', p.decline_reason, 'provider', p.provider, 'refundedCents', p.refunded,
                'dispute', p.dispute, 'disputeReason', p.dispute_reason, 'disputedCents', p.disputed,
                'createdAt', p.created_at) as "row!"
             from payments p left join orders o on o.id = p.order_id
             where p.customer_id = $1 and p.id > $2 order by p.id limit $3"#;
        "invoices" of ["orders"] =
            r#"select o.id as "key!", jsonb_build_object(
                'order', o.code, 'checkoutId', o.checkout_id, 'restaurant', r.name, 'dish', o.item_name,
                'quantity', o.quantity, 'priceCents', o.price, 'totalCents', o.total, 'address', o.address,
                'placedAt', o.placed_at, 'cancelled', o.cancelled) as "row!"
             from orders o left join restaurants r on r.id = o.restaurant_id
             where o.customer_id = $1 and o.id > $2 order by o.id limit $3"#;
        "refunds" of ["refunds"] =
            r#"select r.id as "key!", jsonb_build_object(
                'order', o.code, 'amountCents', r.amount, 'by', r.made_by, 'reason', r.reason, 'note', r.note,
                'createdAt', r.created_at) as "row!"
             from refunds r left join orders o on o.id = r.order_id
             where r.customer_id = $1 and r.id > $2 order by r.id limit $3"#;
        "refundsMade" of ["refunds"] =
            r#"select r.id as "key!", jsonb_build_object(
                'order', o.code, 'amountCents', r.amount, 'reason', r.reason, 'createdAt', r.created_at) as "row!"
             from refunds r left join orders o on o.id = r.order_id
             where r.actor_id = $1 and r.id > $2 order by r.id limit $3"#;
        "paymentsReceived" of ["payments", "orders"] =
            r#"select p.id as "key!", jsonb_build_object(
                'order', o.code, 'amountCents', p.amount, 'kind', p.kind, 'status', p.status,
                'refundedCents', p.refunded, 'createdAt', p.created_at) as "row!"
             from payments p join orders o on o.id = p.order_id
             where o.owner_id = $1 and p.id > $2 order by p.id limit $3"#;
    },
    left_out: &[
        ("people", "copies of profiles, which the user service has"),
        (
            "restaurants",
            "copies of restaurants, which the restaurant service has",
        ),
        (
            "deliveries",
            "states of deliveries, which the delivery service has",
        ),
        (
            "confirmed_orders",
            "ids of orders, which the order service has",
        ),
        (
            "refund_parts",
            "ids and amounts of payments, which the sections of payments and refunds have",
        ),
        (
            "stripe_intents",
            "ids that Stripe gave to payments, which the payments have",
        ),
        ("stripe_events", "ids of Stripe's messages"),
        (
            "sandbox_charges",
            "amounts of payments as the sandbox provider has them",
        ),
    ],
};
