use serde_json::Value;
use sqlx::PgPool;
use tiffin_chassis::{Env, Revocations, Verifier};
use tiffin_events::{Clock, Role};
use tiffin_user::{Keys, Seal};
use time::Duration;

use crate::fixture::Fixture;

async fn published(fixture: &Fixture) -> Value {
    fixture.app.get("/.well-known/jwks.json").await.expect(200)
}

fn verifier(fixture: &Fixture, jwks: &Value) -> Verifier {
    Verifier::with_keys(jwks, fixture.clock.clone(), Revocations::default())
}

#[tokio::test]
async fn tokens_are_good_with_the_published_keys_and_say_who_it_is() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let jwks = published(&fixture).await;
    let key = &jwks["keys"][0];
    assert_eq!(
        (key["kty"].as_str(), key["crv"].as_str()),
        (Some("OKP"), Some("Ed25519"))
    );
    assert!(key.get("d").is_none());
    let claims = verifier(&fixture, &jwks).verify(&me.token).await.unwrap();
    assert_eq!(
        (claims.sub, claims.role, claims.verified),
        (me.id, Role::Customer, true)
    );
    assert_eq!((claims.exp - claims.iat, claims.email), (900, me.email));
}

#[tokio::test]
async fn a_rotation_ends_no_session() {
    let fixture = Fixture::start().await;
    let before = fixture.account(Role::Customer, "c@tiffin.local").await;
    let old_set = published(&fixture).await;
    fixture.clock.advance(Duration::minutes(1));
    fixture.state.keys().rotate().await.unwrap();
    fixture.state.keys().rotate().await.unwrap();
    // Who has not heard of the new keys yet can still check what is signed now.
    let meanwhile = fixture.sign_in("c@tiffin.local").await;
    verifier(&fixture, &old_set)
        .verify(&meanwhile.token)
        .await
        .unwrap();
    fixture.clock.advance(Duration::minutes(6));
    let after = fixture.sign_in("c@tiffin.local").await;
    let verifier = verifier(&fixture, &published(&fixture).await);
    verifier.verify(&before.token).await.unwrap();
    verifier.verify(&after.token).await.unwrap();
    let kid = |token: &str| token.split('.').next().map(str::to_owned);
    assert_ne!(kid(&before.token), kid(&after.token));
}

#[tokio::test]
async fn a_key_follows_after_a_month_and_old_ones_go() {
    let fixture = Fixture::start().await;
    let keys = fixture.state.keys();
    keys.rotate_when_due().await.unwrap();
    assert_eq!(
        published(&fixture).await["keys"].as_array().unwrap().len(),
        1
    );
    for months in 1..4 {
        fixture.clock.advance(Duration::days(31));
        tokio::try_join!(keys.rotate_when_due(), fixture.keys.rotate_when_due()).unwrap();
        let count = published(&fixture).await["keys"].as_array().unwrap().len();
        assert_eq!(count, 2, "after {months}");
    }
}

async fn stored(pool: &PgPool) -> Vec<Vec<u8>> {
    sqlx::query_scalar("select private_key from signing_keys order by kid")
        .fetch_all(pool)
        .await
        .unwrap()
}

fn keys_under(fixture: &Fixture, key: &str) -> Keys {
    let seal = Seal::read(&Env::from_pairs([("TIFFIN_MASTER_KEY", key)])).unwrap();
    Keys::new(fixture.db.pool.clone(), fixture.clock.clone(), seal)
}

/// 32 bytes in base64, others than the service's.
const OTHER: &str = "//////////////////////////////////////////8=";

#[tokio::test]
async fn keys_are_sealed_in_the_database_and_a_wrong_key_makes_no_new_one() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let before = stored(&fixture.db.pool).await;
    assert!(before.iter().all(|key| key[0] == 1), "no PKCS #8 is stored");

    let wrong = keys_under(&fixture, OTHER);
    for refused in [
        wrong.current().await.map(drop),
        wrong.rotate().await,
        wrong.seal_stored().await,
    ] {
        let said = refused.unwrap_err().to_string();
        assert!(said.contains("TIFFIN_MASTER_KEY"), "{said}");
    }
    fixture.clock.advance(Duration::days(31));
    wrong.rotate_when_due().await.unwrap_err();
    assert_eq!(stored(&fixture.db.pool).await, before);

    // A new master key before the old one seals everything again, and tokens stay good.
    fixture.clock.advance(Duration::days(-31));
    let both = format!("{OTHER},{}", crate::fixture::MASTER_KEY);
    keys_under(&fixture, &both).seal_stored().await.unwrap();
    assert_ne!(stored(&fixture.db.pool).await, before);
    let jwks = keys_under(&fixture, OTHER).current().await.unwrap();
    let jwks = serde_json::to_value(jwks.jwks()).unwrap();
    verifier(&fixture, &jwks).verify(&me.token).await.unwrap();
}

#[tokio::test]
async fn keys_from_before_they_were_sealed_are_sealed_and_go_on_signing() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let plain = plain(&fixture.db.pool, &fixture.clock).await;
    let after = keys_under(&fixture, crate::fixture::MASTER_KEY);
    after.seal_stored().await.unwrap();
    let kept = stored(&fixture.db.pool).await;
    assert_eq!(kept.len(), 2);
    for key in &kept {
        assert_eq!(key[0], 1);
        assert!(
            !key.windows(32)
                .any(|part| plain.windows(32).any(|it| it == part))
        );
    }
    let jwks = serde_json::to_value(after.current().await.unwrap().jwks()).unwrap();
    verifier(&fixture, &jwks).verify(&me.token).await.unwrap();
}

/// Puts a key into the database as it was stored before. Returns its PKCS #8.
async fn plain(pool: &PgPool, clock: &Clock) -> Vec<u8> {
    use aws_lc_rs::{
        encoding::{AsDer, Pkcs8V1Der},
        signature::{Ed25519KeyPair, KeyPair},
    };
    let pair = Ed25519KeyPair::generate().unwrap();
    let private: Pkcs8V1Der<'_> = pair.as_der().unwrap();
    let sql = "insert into signing_keys (kid, private_key, public_key, created_at, retired_at)
               values ($1, $2, $3, $4, $4)";
    sqlx::query(sql)
        .bind(clock.new_id())
        .bind(private.as_ref())
        .bind(pair.public_key().as_ref())
        .bind(clock.now())
        .execute(pool)
        .await
        .unwrap();
    private.as_ref().to_vec()
}
