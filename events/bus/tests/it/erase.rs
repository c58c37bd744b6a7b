//! Forgetting what was told of somebody.

use serde_json::{Value, json};
use tiffin_bus::erase;
use tiffin_events::{Stream, driver::DriverEvent, subject};

use crate::{
    bench::{Bench, Tally, eventually},
    consumer::{at, body, dead_letters},
};

/// An event that names somebody and can't be handled.
fn poison(bench: &Bench, driver: uuid::Uuid) -> Vec<u8> {
    let mut event: Value = serde_json::from_slice(&body(bench, driver, 1)).unwrap();
    event["data"] = json!({ "poison": true, "name": "Kamala Perera" });
    serde_json::to_vec(&event).unwrap()
}

#[tokio::test]
async fn what_dead_letters_told_of_somebody_goes_with_their_past() {
    let bench = Bench::new().await;
    let (gone, other) = (bench.clock.new_id(), bench.clock.new_id());
    for driver in [gone, other] {
        bench.publish(at(driver), poison(&bench, driver)).await;
    }
    bench.consume(Tally::default());
    eventually("they are put aside", async || {
        bench.stored(Stream::DeadLetters).await == 2
    })
    .await;
    let end = subject::event("driver", gone, "unavailable");
    bench.publish(end, body(&bench, gone, 2)).await;
    for _ in 0..2 {
        let erased = erase::before::<DriverEvent>(bench.pool(), &bench.broker, gone, "unavailable");
        assert!(erased.await.unwrap());
    }
    assert_eq!(bench.stored(Stream::DeadLetters).await, 2);
    let letters = dead_letters(&bench, 2).await;
    let of = |driver| {
        letters
            .iter()
            .find(|one| one.subject == at(driver))
            .unwrap()
    };
    assert!(of(other).body.contains("Kamala Perera"));
    let blank = of(gone);
    assert_eq!(blank.reason, "it is poison");
    let event: Value = serde_json::from_str(&blank.body).unwrap();
    assert_eq!(event["type"], "tiffin.driver.available.v1");
    assert_eq!(event["data"], Value::Null);
    bench.end().await;
}
