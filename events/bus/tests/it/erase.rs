//! The erasure of an account's events.

use serde_json::{Value, json};
use tiffin_bus::{Consumer, erase};
use tiffin_events::{Stream, subject, user::UserEvent};
use uuid::Uuid;

use crate::{
    bench::{Bench, Tally, eventually},
    consumer::{body, dead_letters},
};

/// The stream of an account's events: besides dead letters, the only one that forgets.
fn at(user: Uuid, event: &str) -> String {
    subject::event("user", user, event)
}

/// An event that names a user and can't be handled.
fn poison(bench: &Bench, user: Uuid) -> Vec<u8> {
    let mut event: Value = serde_json::from_slice(&body(bench, user, 1)).unwrap();
    event["type"] = "tiffin.user.updated.v1".into();
    event["data"] = json!({ "poison": true, "name": "Kamala Perera" });
    serde_json::to_vec(&event).unwrap()
}

#[tokio::test]
async fn an_accounts_data_in_dead_letters_is_erased_with_it() {
    let bench = Bench::new().await;
    let (gone, other) = (bench.clock.new_id(), bench.clock.new_id());
    for user in [gone, other] {
        let event = poison(&bench, user);
        bench.publish(at(user, "updated"), event).await;
    }
    let (pool, clock) = (bench.pool().clone(), bench.clock.clone());
    let users = Consumer::new("bench", Stream::Users, pool, clock, Tally::default());
    let stop = tokio_util::sync::CancellationToken::new();
    let consuming = tokio::spawn(users.run(bench.broker.clone(), stop.clone()));
    eventually("they are put aside", async || {
        bench.stored(Stream::DeadLetters).await == 2
    })
    .await;
    bench
        .publish(at(gone, "deleted"), body(&bench, gone, 2))
        .await;
    for _ in 0..2 {
        let erased = erase::before::<UserEvent>(bench.pool(), &bench.broker, gone, "deleted");
        assert!(erased.await.unwrap());
    }
    assert_eq!(bench.stored(Stream::DeadLetters).await, 2);
    let letters = dead_letters(&bench, 2).await;
    let of = |user| {
        let subject = at(user, "updated");
        letters.iter().find(|one| one.subject == subject).unwrap()
    };
    assert!(of(other).body.contains("Kamala Perera"));
    let blank = of(gone);
    assert_eq!(blank.reason, "it is poison");
    let event: Value = serde_json::from_str(&blank.body).unwrap();
    assert_eq!(event["type"], "tiffin.user.updated.v1");
    assert_eq!(event["data"], Value::Null);
    stop.cancel();
    consuming.await.unwrap();
    bench.end().await;
}
