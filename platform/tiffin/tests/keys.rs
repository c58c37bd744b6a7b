//! `tiffin keys rotate` as a process, on a database that a service signs with.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{collections::BTreeSet, process::Command};

use serde_json::Value;
use tiffin_chassis::{
    Claims, Env, Revocations, Verifier,
    token::{AUDIENCE, ISSUER, LIFETIME_SECONDS},
};
use tiffin_events::{Clock, Role, UserId};
use tiffin_testkit::TestDb;
use tiffin_user::{Keys, MIGRATIONS, Seal};

/// 32 bytes in base64.
const MASTER_KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

fn seal() -> Seal {
    Seal::read(&Env::from_pairs([("TIFFIN_MASTER_KEY", MASTER_KEY)])).unwrap()
}

fn claims(clock: &Clock) -> Claims {
    let now = clock.now().unix_timestamp();
    Claims {
        iss: ISSUER.to_owned(),
        aud: AUDIENCE.to_owned(),
        sub: UserId(clock.new_id()),
        role: Role::Customer,
        email: "customer@tiffin.local".to_owned(),
        verified: true,
        operator: false,
        enrol: false,
        auth_time: None,
        amr: Vec::new(),
        iat: now,
        nbf: now,
        exp: now + LIFETIME_SECONDS,
        jti: clock.new_id(),
    }
}

/// The published keys, as a process that starts now reads them.
async fn published(db: &TestDb, clock: &Clock) -> Value {
    let keys = Keys::new(db.pool.clone(), clock.clone(), seal());
    serde_json::to_value(keys.current().await.unwrap().jwks()).unwrap()
}

fn ids(jwks: &Value) -> BTreeSet<String> {
    let keys = jwks["keys"].as_array().unwrap().iter();
    keys.map(|key| key["kid"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_rotation_publishes_a_second_key_and_the_first_ones_tokens_stay_good() {
    let (db, clock) = (TestDb::new(&MIGRATIONS).await, Clock::system());
    let running = Keys::new(db.pool.clone(), clock.clone(), seal());
    let sign = async || {
        running
            .current()
            .await
            .unwrap()
            .sign(&claims(&clock))
            .unwrap()
    };
    let (before, old) = (sign().await, published(&db, &clock).await);
    let output = Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .args(["keys", "rotate"])
        .env("DATABASE_URL", &db.url)
        .env("TIFFIN_MASTER_KEY", MASTER_KEY)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let new = published(&db, &clock).await;
    assert_eq!((ids(&old).len(), ids(&new).len()), (1, 2));
    assert!(ids(&old).is_subset(&ids(&new)), "{old} {new}");
    // Who fetched the keys before can check what is signed now, and the other way round.
    for jwks in [&old, &new] {
        let verifier = Verifier::with_keys(jwks, clock.clone(), Revocations::default());
        for token in [&before, &sign().await] {
            verifier.verify(token).await.unwrap();
        }
    }
}

#[test]
fn without_a_database_it_says_what_is_missing() {
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .args(["keys", "rotate"])
        .env_remove("DATABASE_URL")
        .env("TIFFIN_HOME", home.path())
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("DATABASE_URL is not set"), "{said}");
}
