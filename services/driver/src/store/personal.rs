//! The rows that this service holds about an account, as sections of its copy.

use tiffin_bus::{personal::Personal, personal_sections};

/// Every row is the driver's own.
pub static PERSONAL: Personal = Personal {
    sections: personal_sections! {
        "driver" of ["drivers"] =
            r#"select id as "key!", jsonb_build_object(
                'vehicle', vehicle_type, 'identityCard', dr_nic, 'isAvailable', is_available,
                'createdAt', created_at) as "row!"
             from drivers where id = $1 and id > $2 order by id limit $3"#;
        "signUp" of ["applications"] =
            r#"select id as "key!", jsonb_build_object(
                'vehicle', vehicle_type, 'identityCard', dr_nic, 'createdAt', created_at) as "row!"
             from applications where id = $1 and id > $2 order by id limit $3"#;
        "lastPosition" of ["positions"] =
            r#"select driver_id as "key!", jsonb_build_object('lat', lat, 'lng', lng, 'at', at) as "row!"
             from positions where driver_id = $1 and driver_id > $2 order by driver_id limit $3"#;
    },
    left_out: &[
        ("people", "copies of profiles, which the user service has"),
        (
            "newcomers",
            "copies of new drivers' profiles, which the user service has",
        ),
        (
            "restaurants",
            "copies of restaurants, which the restaurant service has",
        ),
    ],
};
