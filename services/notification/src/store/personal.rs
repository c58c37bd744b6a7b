//! The rows that this service holds about an account, as sections of its copy.

use tiffin_bus::{personal::Personal, personal_sections};

/// Of a browser's subscription, the push service's host is shown: the address and the keys let their reader push.
pub static PERSONAL: Personal = Personal {
    sections: personal_sections! {
        "notifications" of ["notifications"] =
            r#"select id as "key!", jsonb_build_object(
                'topic', topic, 'text', text, 'order', order_code, 'read', read, 'happenedAt', happened_at,
                'mail', mail, 'push', push, 'inApp', in_app) as "row!"
             from notifications where user_id = $1 and id > $2 order by id limit $3"#;
        "channels" of ["preferences"] =
            r#"select user_id as "key!", jsonb_build_object(
                'mail', mail, 'push', push, 'inApp', in_app, 'secondContact', second_contact,
                'language', language) as "row!"
             from preferences where user_id = $1 and user_id > $2 order by user_id limit $3"#;
        "pushSubscriptions" of ["subscriptions"] =
            r#"select id as "key!", jsonb_build_object(
                'service', substring(endpoint from '^[a-z]+://([^/]+)'), 'createdAt', created_at) as "row!"
             from subscriptions where user_id = $1 and id > $2 order by id limit $3"#;
        "occasions" of ["occasions"] =
            r#"select md5(checkout_id::text || restaurant_id::text || topic)::uuid as "key!", jsonb_build_object(
                'checkoutId', checkout_id, 'topic', topic, 'since', since) as "row!"
             from occasions
             where user_id = $1 and md5(checkout_id::text || restaurant_id::text || topic)::uuid > $2
             order by 1 limit $3"#;
    },
    left_out: &[
        ("people", "copies of profiles, which the user service has"),
        ("orders", "copies of orders, which the order service has"),
        (
            "restaurants",
            "copies of restaurants, which the restaurant service has",
        ),
        ("pushes", "notifications on their way to a browser"),
        ("push_keys", "a key of the platform"),
    ],
};
