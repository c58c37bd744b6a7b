//! Nothing is removed while an event that may name it has yet to take effect.

use tiffin_bus::{Cause, Control, Outgoing, outbox};
use tiffin_events::{
    Clock, rights,
    user::{UserEvent, UserRefV1},
};
use tiffin_media::{NAME, consumers, pending_events};
use tiffin_testkit::{TestDb, TestNats, recorder};
use tokio_util::sync::CancellationToken;

use crate::fixture::{Fixture, OTHER};

#[tokio::test]
async fn a_picture_is_taken_for_unused_only_when_nothing_can_still_name_it() {
    let fixture = Fixture::new().await;
    let nats = TestNats::start().await;
    let (broker, clock) = (nats.broker.clone(), Clock::system());
    let stop = CancellationToken::new();
    for consumer in consumers(&fixture.state) {
        tokio::spawn(consumer.run(broker.clone(), stop.clone()));
    }
    let waits = async || pending_events(&fixture.state, &broker).await;
    assert!(waits().await.is_some(), "no producer says how far it is");

    let producers: Vec<_> = rights::producers(NAME).into_iter().collect();
    assert_eq!(producers, ["order", "restaurant", "user"]);
    let db = TestDb::new(&tiffin_bus::MIGRATIONS).await;
    for producer in producers {
        let control = Control::new(
            producer,
            db.pool.clone(),
            broker.clone(),
            clock.clone(),
            &[],
        );
        tokio::spawn(control.run(stop.clone()));
    }
    let mut waited = waits().await;
    while waited.is_some() {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        waited = waits().await;
    }

    // A full stream keeps the event that names it where it is.
    let other = UserRefV1 {
        user_id: OTHER,
        role: tiffin_events::Role::Customer,
    };
    let blocked = UserEvent::Blocked(other.into());
    let cause = Cause::service("user");
    let row = Outgoing::event(&recorder(&clock), &cause, OTHER.0, 1, &blocked).await;
    let row = row.unwrap();
    let mut tx = tiffin_database::begin(&db.pool).await.unwrap();
    outbox::append(&mut tx, &[row]).await.unwrap();
    tx.commit().await.unwrap();
    let reason = waits().await.unwrap();
    assert!(reason.contains("in the outbox of"), "{reason}");
    sqlx::query("update bus.outbox set published_at = now()")
        .execute(&db.pool)
        .await
        .unwrap();
    assert_eq!(waits().await, None);

    // A dead letter, and what is acknowledged and parked behind one.
    for (table, columns, values) in [
        (
            "blocked",
            "consumer, aggregate, stream_sequence, reason, blocked_at",
            "'media_CATALOG', gen_random_uuid(), 1, 'it is poison', now()",
        ),
        (
            "parked",
            "consumer, aggregate, sequence, stream_sequence",
            "'media_CATALOG', gen_random_uuid(), 2, 2",
        ),
    ] {
        let put = format!("insert into bus.{table} ({columns}) values ({values})");
        sqlx::raw_sql(sqlx::AssertSqlSafe(put))
            .execute(&fixture.pool)
            .await
            .unwrap();
        let reason = waits().await.unwrap();
        assert!(reason.contains("dead letters"), "{reason}");
        let settle = format!("delete from bus.{table}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(settle))
            .execute(&fixture.pool)
            .await
            .unwrap();
        assert_eq!(waits().await, None);
    }
    stop.cancel();
}
