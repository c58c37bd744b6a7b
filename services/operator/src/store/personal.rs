//! The rows that this service holds about an account, as sections of its copy.

use tiffin_bus::{personal::Personal, personal_sections};

/// An operation's `spec` and `report` are left out: they may show rows of other people.
pub static PERSONAL: Personal = Personal {
    sections: personal_sections! {
        "operations" of ["operations"] =
            r#"select id as "key!", jsonb_build_object(
                'verb', verb, 'target', target, 'reason', reason, 'service', service, 'stream', stream,
                'state', state, 'begunAt', begun_at, 'updatedAt', updated_at) as "row!"
             from operations where actor = $1 and id > $2 order by id limit $3"#;
        "imports" of ["imports"] =
            r#"select id as "key!", jsonb_build_object(
                'stream', stream, 'isOpen', is_open, 'beganAt', began_at, 'updatedAt', updated_at,
                'count', count) as "row!"
             from imports where actor = $1 and id > $2 order by id limit $3"#;
    },
    left_out: &[
        (
            "events",
            "copies of events, whose rows the publishing services have",
        ),
        (
            "archived_segments",
            "numbers, ids and times of archived events",
        ),
        ("archived_orders", "codes of archived orders"),
        ("log_starts", "stream sequences"),
        ("imported", "ids and hashes of events"),
        ("chain", "a hash"),
    ],
};
