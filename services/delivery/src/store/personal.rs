//! The rows that this service holds about an account, as sections of its copy.

use tiffin_bus::{personal::Personal, personal_sections};

/// A driver's places (`lat`, `lng`, `position_at`) are the driver's alone, and customers and owners get no ids of
/// drivers. Drivers and owners get no customer and no address.
pub static PERSONAL: Personal = Personal {
    sections: personal_sections! {
        "deliveries" of ["deliveries"] =
            r#"select d.id as "key!", jsonb_build_object(
                'id', d.id, 'order', d.order_code, 'restaurant', r.name, 'status', d.status,
                'estimatedTime', d.estimated_time, 'earliestArrival', d.eta_earliest,
                'latestArrival', d.eta_latest, 'createdAt', d.created_at, 'statusAt', d.status_at,
                'cancelledAt', d.cancelled_at) as "row!"
             from deliveries d left join restaurants r on r.id = d.restaurant_id
             where d.customer_id = $1 and d.id > $2 order by d.id limit $3"#;
        "deliveriesSent" of ["deliveries"] =
            r#"select id as "key!", jsonb_build_object(
                'id', id, 'order', order_code, 'restaurantId', restaurant_id, 'status', status,
                'estimatedTime', estimated_time, 'createdAt', created_at, 'statusAt', status_at,
                'cancelledAt', cancelled_at) as "row!"
             from deliveries where owner_id = $1 and id > $2 order by id limit $3"#;
        "deliveriesDriven" of ["deliveries"] =
            r#"select d.id as "key!", jsonb_build_object(
                'id', d.id, 'order', d.order_code, 'restaurant', r.name, 'status', d.status,
                'vehicle', d.vehicle, 'estimatedTime', d.estimated_time, 'createdAt', d.created_at,
                'statusAt', d.status_at, 'cancelledAt', d.cancelled_at, 'lastLat', d.lat, 'lastLng', d.lng,
                'lastPositionAt', d.position_at) as "row!"
             from deliveries d left join restaurants r on r.id = d.restaurant_id
             where d.driver_id = $1 and d.id > $2 order by d.id limit $3"#;
        "trips" of ["trips"] =
            r#"select delivery_id as "key!", jsonb_build_object(
                'deliveryId', delivery_id, 'restaurantId', restaurant_id, 'orderedAt', ordered_at,
                'assignedAt', assigned_at, 'setOutAt', set_out_at, 'rideSeconds', ride_seconds,
                'deliveredAt', delivered_at) as "row!"
             from trips where driver_id = $1 and delivery_id > $2 order by delivery_id limit $3"#;
        "suggestions" of ["suggestions"] =
            r#"select id as "key!", jsonb_build_object(
                'id', id, 'order', order_code, 'restaurantId', restaurant_id, 'suggested', cardinality(drivers),
                'declined', cardinality(declined), 'pickedAt', picked_at) as "row!"
             from suggestions where owner_id = $1 and id > $2 order by id limit $3"#;
        "suggestedFor" of ["suggestions"] =
            r#"select id as "key!", jsonb_build_object(
                'id', id, 'restaurantId', restaurant_id, 'suggested', $1 = any (drivers),
                'picked', coalesce(picked_driver = $1, false), 'declined', $1 = any (declined)) as "row!"
             from suggestions
             where ($1 = any (drivers) or $1 = any (declined) or picked_driver = $1) and id > $2
             order by id limit $3"#;
        "phoneTokens" of ["phone_tokens"] =
            r#"select driver_id as "key!", jsonb_build_object(
                'madeAt', made_at, 'usedAt', used_at, 'outcome', outcome) as "row!"
             from phone_tokens where driver_id = $1 and driver_id > $2 order by driver_id limit $3"#;
    },
    left_out: &[
        ("drivers", "copies of drivers, which the driver service has"),
        ("people", "copies of profiles, which the user service has"),
        ("orders", "copies of orders, which the order service has"),
        (
            "restaurants",
            "copies of restaurants, which the restaurant service has",
        ),
        (
            "shown_ranges",
            "forecasts of deliveries, without an account",
        ),
    ],
};
