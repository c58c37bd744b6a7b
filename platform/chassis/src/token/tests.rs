use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use axum::{Router, routing::get};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{EncodingKey, Header};
use serde_json::{Value, json};
use time::Duration;

use super::*;

struct Signer {
    kid: &'static str,
    key: EncodingKey,
    jwk: Value,
}

fn signer(kid: &'static str) -> Signer {
    let pair = Ed25519KeyPair::generate().unwrap();
    let x = URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
    let der = pair.to_pkcs8v1().unwrap();
    Signer {
        kid,
        key: EncodingKey::from_ed_der(der.as_ref()),
        jwk: json!({"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": kid, "x": x}),
    }
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
        auth_time: Some(now),
        amr: vec![Method::Pwd],
        iat: now,
        nbf: now,
        exp: now + LIFETIME_SECONDS,
        jti: clock.new_id(),
    }
}

impl Signer {
    fn sign(&self, claims: &impl Serialize) -> String {
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(self.kid.to_owned());
        jsonwebtoken::encode(&header, claims, &self.key).unwrap()
    }
}

fn fixed(signer: &Signer, clock: &Clock) -> Verifier {
    Verifier::with_keys(
        &json!({"keys": [signer.jwk]}),
        clock.clone(),
        Revocations::default(),
    )
}

#[tokio::test]
async fn a_good_token_is_taken_until_its_time_is_over() {
    let (signer, clock) = (
        signer("a"),
        Clock::manual(time::macros::datetime!(2026-11-21 09:00 UTC)),
    );
    let (verifier, claims) = (fixed(&signer, &clock), claims(&clock));
    let token = signer.sign(&claims);
    assert_eq!(verifier.verify(&token).await.unwrap().sub, claims.sub);
    clock.advance(Duration::seconds(LIFETIME_SECONDS + LEEWAY_SECONDS - 1));
    assert!(verifier.verify(&token).await.is_ok());
    clock.advance(Duration::seconds(1));
    assert_eq!(
        verifier.verify(&token).await.unwrap_err(),
        BadToken::Expired
    );
}

#[tokio::test]
async fn what_was_not_signed_for_us_is_refused() {
    let (ours, clock) = (signer("a"), Clock::system());
    let (verifier, good) = (fixed(&ours, &clock), claims(&clock));
    let mut bad = vec![
        signer("a").sign(&good),
        signer("b").sign(&good),
        ours.sign(&Claims {
            iss: "else".to_owned(),
            ..good.clone()
        }),
        ours.sign(&Claims {
            aud: "else".to_owned(),
            ..good.clone()
        }),
        ours.sign(&Claims {
            nbf: good.nbf + 60,
            ..good.clone()
        }),
        ours.sign(&Claims {
            jti: Uuid::from_u128(7),
            ..good.clone()
        }),
        String::new(),
        "a.b.c".to_owned(),
    ];
    for claim in ["exp", "nbf", "iss", "aud", "sub", "jti", "role"] {
        let mut less = serde_json::to_value(&good).unwrap();
        less.as_object_mut().unwrap().remove(claim);
        bad.push(ours.sign(&less));
    }
    let token = ours.sign(&good);
    bad.push(token[..token.len() - 4].to_owned());
    for token in bad {
        assert_eq!(
            verifier.verify(&token).await.unwrap_err(),
            BadToken::Invalid,
            "{token}"
        );
    }
}

#[tokio::test]
async fn no_other_algorithm_is_taken() {
    let (ours, clock) = (signer("a"), Clock::system());
    let verifier = fixed(&ours, &clock);
    let secret = URL_SAFE_NO_PAD
        .decode(ours.jwk["x"].as_str().unwrap())
        .unwrap();
    let mut header = Header::new(Algorithm::HS256);
    header.kid = Some("a".to_owned());
    let forged =
        jsonwebtoken::encode(&header, &claims(&clock), &EncodingKey::from_secret(&secret)).unwrap();
    assert_eq!(
        verifier.verify(&forged).await.unwrap_err(),
        BadToken::Invalid
    );
    let unsigned = {
        let head = URL_SAFE_NO_PAD.encode(br#"{"alg":"none","kid":"a"}"#);
        let body = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&claims(&clock)).unwrap());
        format!("{head}.{body}.")
    };
    assert_eq!(
        verifier.verify(&unsigned).await.unwrap_err(),
        BadToken::Invalid
    );
}

#[tokio::test]
async fn a_revoked_users_token_ends_and_the_next_one_works() {
    let (signer, clock) = (
        signer("a"),
        Clock::manual(time::macros::datetime!(2026-11-21 09:00 UTC)),
    );
    let (verifier, old) = (fixed(&signer, &clock), claims(&clock));
    verifier.revocations().revoke(old.sub, clock.now());
    assert_eq!(
        verifier.verify(&signer.sign(&old)).await.unwrap_err(),
        BadToken::Revoked
    );
    clock.advance(Duration::milliseconds(1));
    let new = Claims {
        sub: old.sub,
        ..claims(&clock)
    };
    assert!(verifier.verify(&signer.sign(&new)).await.is_ok());
}

#[tokio::test]
async fn keys_are_fetched_once_for_everyone_and_not_for_every_stranger() {
    let (signer, clock, fetches) = (signer("a"), Clock::system(), Arc::new(AtomicUsize::new(0)));
    let (jwks, counter) = (
        json!({"keys": [{"kty": "unheard"}, signer.jwk]}),
        fetches.clone(),
    );
    let app = Router::new().route(
        "/jwks",
        get(move || async move {
            counter.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            axum::Json(jwks)
        }),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/jwks", listener.local_addr().unwrap())
        .parse()
        .unwrap();
    tokio::spawn(crate::server::serve(
        listener,
        app,
        tokio_util::sync::CancellationToken::new(),
    ));

    let verifier = Verifier::new(url, clock.clone(), Revocations::default());
    let token = signer.sign(&claims(&clock));
    let all = futures_util::future::join_all((0..20).map(|_| verifier.verify(&token))).await;
    assert!(all.iter().all(Result::is_ok));
    assert_eq!(fetches.load(Ordering::Relaxed), 1);
    let stranger = self::signer("b").sign(&claims(&clock));
    for _ in 0..5 {
        assert_eq!(
            verifier.verify(&stranger).await.unwrap_err(),
            BadToken::Invalid
        );
    }
    assert_eq!(fetches.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn an_answer_without_keys_takes_none_away() {
    let (signer, clock, fetches) = (signer("a"), Clock::system(), Arc::new(AtomicUsize::new(0)));
    let (jwk, counter) = (signer.jwk.clone(), fetches.clone());
    let app = Router::new().route(
        "/jwks",
        get(move || async move {
            let first = counter.fetch_add(1, Ordering::Relaxed) == 0;
            axum::Json(json!({ "keys": if first { vec![jwk] } else { Vec::new() } }))
        }),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/jwks", listener.local_addr().unwrap())
        .parse()
        .unwrap();
    tokio::spawn(crate::server::serve(
        listener,
        app,
        tokio_util::sync::CancellationToken::new(),
    ));

    let verifier = Verifier::new(url, clock.clone(), Revocations::default());
    let token = signer.sign(&claims(&clock));
    assert!(verifier.verify(&token).await.is_ok());
    let stranger = self::signer("b").sign(&claims(&clock));
    verifier.keys.allow_fetch().await;
    let refused = verifier.verify(&stranger).await;
    assert_eq!(refused.unwrap_err(), BadToken::Invalid);
    assert_eq!(fetches.load(Ordering::Relaxed), 2);
    assert!(verifier.verify(&token).await.is_ok());
}

#[tokio::test]
async fn without_the_user_service_the_answer_is_that_keys_are_missing() {
    let verifier = Verifier::new(
        "http://127.0.0.1:1/jwks".parse().unwrap(),
        Clock::system(),
        Revocations::default(),
    );
    let token = signer("a").sign(&claims(&Clock::system()));
    assert_eq!(verifier.verify(&token).await.unwrap_err(), BadToken::NoKeys);
}
