use serde_json::Value;
use tiffin_chassis::{Revocations, Verifier};
use tiffin_events::Role;
use time::Duration;

use crate::harness::Service;

async fn published(service: &Service) -> Value {
    service.app.get("/.well-known/jwks.json").await.expect(200)
}

fn verifier(service: &Service, jwks: &Value) -> Verifier {
    Verifier::with_keys(jwks, service.clock.clone(), Revocations::default())
}

#[tokio::test]
async fn tokens_are_good_with_the_published_keys_and_say_who_it_is() {
    let service = Service::start().await;
    let me = service.person(Role::Customer, "c@tiffin.local").await;
    let jwks = published(&service).await;
    let key = &jwks["keys"][0];
    assert_eq!(
        (key["kty"].as_str(), key["crv"].as_str()),
        (Some("OKP"), Some("Ed25519"))
    );
    assert!(key.get("d").is_none());
    let claims = verifier(&service, &jwks).verify(&me.token).await.unwrap();
    assert_eq!(
        (claims.sub, claims.role, claims.verified),
        (me.id, Role::Customer, true)
    );
    assert_eq!((claims.exp - claims.iat, claims.email), (900, me.email));
}

#[tokio::test]
async fn a_rotation_logs_nobody_out() {
    let service = Service::start().await;
    let before = service.person(Role::Customer, "c@tiffin.local").await;
    let old_set = published(&service).await;
    service.clock.advance(Duration::minutes(1));
    service.state.keys().rotate().await.unwrap();
    service.state.keys().rotate().await.unwrap();
    // Who has not heard of the new keys yet can still check what is signed now.
    let meanwhile = service.sign_in("c@tiffin.local").await;
    verifier(&service, &old_set)
        .verify(&meanwhile.token)
        .await
        .unwrap();
    service.clock.advance(Duration::minutes(6));
    let after = service.sign_in("c@tiffin.local").await;
    let verifier = verifier(&service, &published(&service).await);
    verifier.verify(&before.token).await.unwrap();
    verifier.verify(&after.token).await.unwrap();
    let kid = |token: &str| token.split('.').next().map(str::to_owned);
    assert_ne!(kid(&before.token), kid(&after.token));
}

#[tokio::test]
async fn a_key_follows_after_a_month_and_old_ones_go() {
    let service = Service::start().await;
    let keys = service.state.keys();
    keys.rotate_when_due().await.unwrap();
    assert_eq!(
        published(&service).await["keys"].as_array().unwrap().len(),
        1
    );
    for months in 1..4 {
        service.clock.advance(Duration::days(31));
        tokio::try_join!(keys.rotate_when_due(), service.keys.rotate_when_due()).unwrap();
        let count = published(&service).await["keys"].as_array().unwrap().len();
        assert_eq!(count, 2, "after {months}");
    }
}
