//! Two processes of the operator service.

use serde_json::json;
use uuid::Uuid;

use crate::{
    fixture::{Fixture, eventually},
    order_replay::order,
};

#[tokio::test]
async fn a_process_that_starts_ends_what_is_left_and_nothing_that_another_works_on() {
    let fixture = Fixture::new().await;
    let order = order(&fixture).await;
    // At real time the replay takes about 15 seconds.
    let replay =
        json!({ "order": order, "reason": "to see it", "target": { "live": true }, "speed": 1 });
    let begun = fixture.post("/replays", replay).await;
    let id: Uuid = begun.body["replayId"].as_str().unwrap().parse().unwrap();
    let watched = format!("replay.{id}");
    let _frames = fixture.nats.broker.client.subscribe(watched).await.unwrap();
    let left = fixture.clock.new_id();
    sqlx::query(
        "insert into operations (id, verb, target, reason, actor, spec, state, total, begun_at, updated_at, version,
                                 seen_at)
         select $1, verb, target, reason, actor, spec, state, total, begun_at, updated_at, version,
                now() - interval '1 minute'
         from operations where id = $2",
    )
    .bind(left)
    .bind(id)
    .execute(&fixture.db.pool)
    .await
    .unwrap();

    fixture.second();
    // A process looks for abandoned operations when it starts.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let state = async |id: Uuid| fixture.get(&format!("/replays/{id}")).await.body["state"].clone();
    eventually("the abandoned operation has failed", async || {
        state(left).await == "failed"
    })
    .await;
    let said = fixture.get(&format!("/replays/{left}")).await.body;
    assert_eq!(
        said["report"]["error"],
        "The process that worked on it has ended: begin it again."
    );
    assert_ne!(state(id).await, "failed");
    fixture.end().await;
}
