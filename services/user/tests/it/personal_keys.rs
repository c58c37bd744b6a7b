//! The keys of personal fields: in the database, at the broker, and after their account is closed.

use serde_json::json;
use sqlx::PgPool;
use tiffin_bus::{
    Broker,
    seal::{KeyAsk, KeySource, KeyState, Keys, KeysError},
};
use tiffin_chassis::Env;
use tiffin_events::{Envelope, Role, UserId};
use tiffin_testkit::{TestNats, sample};
use tiffin_user::{PersonalKeys, Seal, seal_again, tasks};
use tokio_util::sync::CancellationToken;

use crate::fixture::{Account, Fixture, MASTER_KEY, PASSWORD, form};

/// 32 bytes in base64, others than the service's.
const OTHER: &str = "//////////////////////////////////////////8=";

fn seal(master: &str) -> Seal {
    Seal::read(&Env::from_pairs([("TIFFIN_MASTER_KEY", master)])).unwrap()
}

fn under(fixture: &Fixture, master: &str) -> PersonalKeys {
    PersonalKeys::new(fixture.db.pool.clone(), fixture.clock.clone(), seal(master))
}

fn of(person: UserId) -> KeyAsk {
    KeyAsk {
        persons: vec![person],
        ..KeyAsk::default()
    }
}

async fn key(fixture: &Fixture, person: UserId) -> KeyState {
    let found = fixture.state.personal_keys().find(of(person)).await;
    let [key]: [KeyState; 1] = found.unwrap().try_into().unwrap();
    key
}

async fn stored(pool: &PgPool) -> Vec<Vec<u8>> {
    sqlx::query_scalar("select secret from personal_keys where secret is not null order by id")
        .fetch_all(pool)
        .await
        .unwrap()
}

async fn factors(pool: &PgPool) -> Vec<Vec<u8>> {
    sqlx::query_scalar("select secret from second_factors order by user_id")
        .fetch_all(pool)
        .await
        .unwrap()
}

async fn close(fixture: &Fixture, account: &Account) {
    let path = format!("/api/v1/users/{}", account.id);
    let call = fixture.app.delete(&path).token(&account.token);
    call.await.expect(200);
}

#[tokio::test]
async fn a_person_gets_one_key_that_is_sealed_in_the_database() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let (first, second) = (under(&fixture, MASTER_KEY), under(&fixture, MASTER_KEY));
    let stranger = UserId(fixture.clock.new_id());
    let ask = KeyAsk {
        persons: vec![stranger, me.id, me.id],
        ..KeyAsk::default()
    };
    let (one, other) = tokio::join!(first.find(ask.clone()), second.find(ask));
    let (mut one, mut other) = (one.unwrap(), other.unwrap());
    for keys in [&mut one, &mut other] {
        keys.sort_by_key(|key| key.person);
    }
    assert_eq!(one.len(), 2);
    assert_eq!(one, other, "two processes at once make one key");
    assert_ne!(one[0].secret, one[1].secret);
    let kept = stored(&fixture.db.pool).await;
    assert_eq!(kept.len(), 2);
    for key in &one {
        let secret = key.secret.as_ref().unwrap();
        let shows = |sealed: &Vec<u8>| sealed.windows(32).any(|part| part == secret.bytes());
        assert!(!kept.iter().any(shows));
    }
    let by_id = KeyAsk {
        keys: vec![one[0].id, fixture.clock.new_id()],
        ..KeyAsk::default()
    };
    assert_eq!(first.find(by_id).await.unwrap(), vec![one[0].clone()]);
}

#[tokio::test]
async fn closing_an_account_destroys_its_key_for_good() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let other = fixture.account(Role::Customer, "o@tiffin.local").await;
    let (mine, theirs) = (key(&fixture, me.id).await, key(&fixture, other.id).await);
    close(&fixture, &me).await;
    let destroyed = KeyState {
        secret: None,
        ..mine
    };
    assert_eq!(key(&fixture, me.id).await, destroyed);
    assert_eq!(key(&fixture, other.id).await, theirs);
    assert_eq!(stored(&fixture.db.pool).await.len(), 1);
}

#[tokio::test]
async fn a_closed_account_never_gets_a_key() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    close(&fixture, &me).await;
    assert_eq!(key(&fixture, me.id).await.secret, None);
    // As an account is that was closed before there were keys.
    sqlx::query("delete from personal_keys")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    let late = key(&fixture, me.id).await;
    assert_eq!(late.secret, None);
    assert_eq!(key(&fixture, me.id).await, late);
}

#[tokio::test]
async fn a_sign_up_that_is_ended_loses_its_key() {
    let fixture = Fixture::start().await;
    let sign_up = async |password: &str| {
        let mut body = form("c@tiffin.local");
        body["password"] = json!(password);
        let call = fixture.app.post("/api/v1/users");
        let made = call.json(&body).await.expect(201);
        let id: UserId = serde_json::from_value(made["user"]["id"].clone()).unwrap();
        assert!(key(&fixture, id).await.secret.is_some());
        id
    };
    let (ended, id) = (sign_up("Stranger-Danger@1").await, sign_up(PASSWORD).await);
    let me = fixture.sign_in("c@tiffin.local").await;
    assert_eq!(me.id, id);
    let send = fixture.app.get("/api/v1/users/sendOTP");
    send.token(&me.token).await.expect(200);
    let verify = fixture.app.post("/api/v1/users/verifyOTP");
    let body = json!({ "otp": fixture.code().await });
    verify.token(&me.token).json(&body).await.expect(200);
    assert_eq!(key(&fixture, ended).await.secret, None);
    assert!(key(&fixture, me.id).await.secret.is_some());
}

#[tokio::test]
async fn keys_and_second_factors_are_sealed_again_under_a_new_master_key() {
    let fixture = Fixture::start().await;
    let mut me = fixture.account(Role::Customer, "c@tiffin.local").await;
    fixture.turn_on(&mut me).await;
    let closed = fixture.account(Role::Customer, "o@tiffin.local").await;
    let (mine, _) = (key(&fixture, me.id).await, key(&fixture, closed.id).await);
    close(&fixture, &closed).await;
    let pool = &fixture.db.pool;
    let before = (stored(pool).await, factors(pool).await);

    // Under a wrong key nothing is read, and nothing changes.
    let wrong = under(&fixture, OTHER);
    let refused = wrong.find(of(me.id)).await.unwrap_err();
    assert!(
        matches!(&refused, KeysError::Away(said) if said.contains("TIFFIN_MASTER_KEY")),
        "{refused}"
    );
    seal_again(pool, &seal(OTHER)).await.unwrap();
    assert_eq!((stored(pool).await, factors(pool).await), before);

    let both = seal(&format!("{OTHER},{MASTER_KEY}"));
    seal_again(pool, &both).await.unwrap();
    let after = (stored(pool).await, factors(pool).await);
    assert_eq!(after.0.len(), 1, "what is destroyed stays destroyed");
    assert_eq!(wrong.find(of(me.id)).await.unwrap(), vec![mine]);
    assert!(seal(OTHER).is_current(&after.1[0]));
    let purpose = format!("second_factors/{}", me.id);
    let secrets = [(MASTER_KEY, &before), (OTHER, &after)]
        .map(|(master, (_, factors))| seal(master).open(&purpose, &factors[0]).unwrap());
    assert_eq!(secrets[0], secrets[1]);
    seal_again(pool, &both).await.unwrap();
    assert_eq!((stored(pool).await, factors(pool).await), after);
}

#[tokio::test]
async fn the_service_answers_others_at_the_broker() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let nats = TestNats::start().await;
    let (user, order) = (
        Broker::connect(&nats.url_of("user"), "user").await.unwrap(),
        Broker::connect(&nats.url_of("order"), "order")
            .await
            .unwrap(),
    );
    let mut event: Envelope = sample("tiffin.order.placed.v1");
    event.data["customerId"] = json!(me.id);
    let plain = event.clone();
    let keys = Keys::new(order.client.clone());
    let early = keys.prefetch(&[me.id]).await.unwrap_err();
    assert!(matches!(early, KeysError::Away(_)), "{early}");

    let stop = CancellationToken::new();
    let works = tasks(&fixture.state, &user, &stop).into_iter();
    let works = works.map(|work| work.supervise(stop.clone()));
    let work = tokio::spawn(futures_util::future::join_all(works));
    let mut tries = 0;
    while let Err(error) = keys.prefetch(&[me.id]).await {
        tries += 1;
        assert!(tries < 100, "{error}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    keys.seal(&mut event).await.unwrap();
    assert_eq!(event.sealed.0[0].key, key(&fixture, me.id).await.id);
    assert_ne!(event.data, plain.data);

    // The reason of a failure comes with the answer.
    sqlx::query("update personal_keys set secret = '\\x00'")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    keys.forget(me.id);
    let said = keys.prefetch(&[me.id]).await.unwrap_err().to_string();
    assert!(said.contains("can't be opened"), "{said}");
    stop.cancel();
    work.await.unwrap();
}
