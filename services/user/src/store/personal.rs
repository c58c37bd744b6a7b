//! The rows that this service holds about an account, as sections of its copy.

use tiffin_bus::{personal::Personal, personal_sections};

/// Secrets are left out: password and code hashes, tokens, keys and the second factor's secret let their reader in.
pub static PERSONAL: Personal = Personal {
    sections: personal_sections! {
        "profile" of ["users"] =
            r#"select id as "key!", jsonb_build_object(
                'id', id, 'email', email, 'role', role, 'firstName', first_name, 'lastName', last_name,
                'phone', phone, 'address', address, 'image', image, 'lat', lat, 'lng', lng,
                'emailProven', verified, 'blocked', blocked, 'blockReason', block_reason,
                'hasPassword', password_hash <> '', 'createdAt', created_at) as "row!"
             from users where id = $1 and id > $2 order by id limit $3"#;
        "sessions" of ["refresh_families"] =
            r#"select id as "key!", jsonb_build_object(
                'startedAt', started_at, 'endedAt', ended_at, 'lastProofAt', proven_at, 'proofs', methods) as "row!"
             from refresh_families where user_id = $1 and id > $2 order by id limit $3"#;
        "devices" of ["known_devices"] =
            r#"select md5(hash)::uuid as "key!", jsonb_build_object('lastSeenAt', seen_at) as "row!"
             from known_devices where user_id = $1 and md5(hash)::uuid > $2 order by 1 limit $3"#;
        "twoStepSignIn" of ["second_factors", "recovery_codes"] =
            r#"select f.user_id as "key!", jsonb_build_object(
                'begunAt', f.begun_at, 'turnedOnAt', f.confirmed_at,
                'unusedRecoveryCodes', (
                    select count(*) from recovery_codes c where c.user_id = f.user_id and c.used_at is null
                )) as "row!"
             from second_factors f where f.user_id = $1 and f.user_id > $2 order by f.user_id limit $3"#;
        "operatorRight" of ["operators"] =
            r#"select user_id as "key!", jsonb_build_object('grantedAt', granted_at) as "row!"
             from operators where user_id = $1 and user_id > $2 order by user_id limit $3"#;
        "inquiries" of ["inquiries"] =
            r#"select id as "key!", jsonb_build_object(
                'message', message, 'response', response, 'createdAt', created_at, 'updatedAt', updated_at,
                'answeredAt', answered_at) as "row!"
             from inquiries where author_id = $1 and id > $2 order by id limit $3"#;
        "copies" of ["copies"] =
            r#"select id as "key!", jsonb_build_object(
                'requestedAt', requested_at, 'state', state, 'language', language, 'size', size) as "row!"
             from copies where user_id = $1 and state <> 'gone' and id > $2 order by id limit $3"#;
    },
    left_out: &[
        ("signing_keys", "keys of the platform"),
        ("personal_keys", "keys of personal fields in events"),
        ("refresh_tokens", "hashes of the sessions' tokens"),
        ("codes", "hashes of mailed codes, good for minutes"),
        (
            "mails",
            "mail on its way, with codes and links; a row goes once it is sent",
        ),
        (
            "orders_under_way",
            "ids of orders, which the order service has",
        ),
        ("erasures", "ids of closed accounts"),
        ("geocodes", "places, without an account"),
        (
            "sign_ins_under_way",
            "hashes of sign-ins under way, good for minutes",
        ),
        (
            "password_requests",
            "a row goes once its mail is written, in seconds",
        ),
        (
            "password_resets",
            "hashes of mailed links, good for minutes",
        ),
    ],
};
