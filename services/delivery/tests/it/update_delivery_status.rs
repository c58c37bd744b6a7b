use std::time::Duration;

use serde_json::json;
use sqlx::PgPool;
use tiffin_events::{Role, UserId};
use tiffin_testkit::{drain_outbox, drain_rows};

use crate::fixture::Fixture;

#[tokio::test]
async fn the_driver_chooses_any_status_and_delivered_ends_it() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    for status in [
        "on the way",
        "on the way",
        "delivered",
        "on the way",
        "picked up",
        "delivered",
    ] {
        let body = fixture.set_status(&delivery, status).await.expect(200);
        assert_eq!(body["delivery"]["status"], status);
        assert_eq!(
            body["message"],
            format!("Delivery status updated to {status}")
        );
    }
    let events = drain_outbox(&fixture.db.pool).await;
    let seen: Vec<_> = events
        .iter()
        .map(|event| (event.sequence, event.kind.as_str()))
        .collect();
    assert_eq!(
        seen,
        [
            (2, "tiffin.delivery.on_the_way.v1"),
            (3, "tiffin.delivery.delivered.v1"),
            (4, "tiffin.delivery.on_the_way.v1"),
            (5, "tiffin.delivery.picked_up.v1"),
            (6, "tiffin.delivery.delivered.v1"),
        ]
    );
}

#[tokio::test]
async fn a_repeated_change_takes_effect_once_however_late_it_comes() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    let set = async |status: &str, key: &str| {
        let path = format!(
            "/api/v1/delivery/update/{}",
            delivery["_id"].as_str().unwrap()
        );
        let call = fixture.app.put(&path).token(&fixture.driver());
        call.header("idempotency-key", key)
            .json(&json!({ "status": status }))
            .await
    };
    let first = set("on the way", "a").await.expect(200);
    set("delivered", "b").await.expect(200);
    let repeated = set("on the way", "a").await;
    assert_eq!(
        repeated.header("idempotent-replayed").as_deref(),
        Some("true")
    );
    assert_eq!(repeated.expect(200), first);
    set("delivered", "a").await.problem(422);
    let events = fixture.events().await;
    assert_eq!(
        events,
        [
            "tiffin.delivery.on_the_way.v1",
            "tiffin.delivery.delivered.v1"
        ]
    );
}

#[tokio::test]
async fn who_may_watch_and_the_drivers_deliveries_change_only_with_its_end() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    fixture
        .set_status(&delivery, "on the way")
        .await
        .expect(200);
    let rows = drain_rows(&fixture.db.pool).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    fixture.set_status(&delivery, "delivered").await.expect(200);
    let rows = drain_rows(&fixture.db.pool).await;
    let [audience, current, event] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!(audience.body["active"], false);
    assert_eq!(current.body["deliveries"], json!([]));
    assert_eq!(event.body["type"], "tiffin.delivery.delivered.v1");
}

#[tokio::test]
async fn only_its_driver_and_administrators_move_it() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    let path = format!(
        "/api/v1/delivery/update/{}",
        delivery["orderId"].as_str().unwrap()
    );
    let body = json!({ "status": "on the way" });
    for (token, status) in [
        (fixture.token(fixture.other_driver, Role::Delivery), 404),
        (
            fixture.token(UserId(fixture.clock.new_id()), Role::Delivery),
            404,
        ),
        (fixture.owner(), 403),
        (fixture.customer(), 403),
    ] {
        fixture
            .app
            .put(&path)
            .token(&token)
            .json(&body)
            .await
            .problem(status);
    }
    fixture.app.put(&path).json(&body).await.problem(401);
    assert!(fixture.events().await.is_empty());
    fixture
        .app
        .put(&path)
        .token(&fixture.admin())
        .json(&body)
        .await
        .expect(200);
}

#[tokio::test]
async fn a_driver_whom_it_is_being_taken_from_moves_it_no_more() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    let mut tx = tiffin_database::begin(&fixture.db.pool).await.unwrap();
    sqlx::query("update deliveries set driver_id = $1")
        .bind(fixture.other_driver.0)
        .execute(&mut *tx)
        .await
        .unwrap();
    let (status, location, ()) = tokio::join!(
        fixture.set_status(&delivery, "delivered"),
        fixture.set_location(&delivery, 6.9, 79.85),
        async {
            // Both have found it while it was theirs, and wait for it.
            while blocked(&fixture.db.pool).await < 2 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            tx.commit().await.unwrap();
        }
    );
    status.problem(404);
    location.problem(404);
    assert!(fixture.events().await.is_empty());
    let delivery = fixture.list(&fixture.admin()).await[0].clone();
    assert_eq!(
        (&delivery["status"], &delivery["lat"]),
        (&json!("picked up"), &json!(0.0))
    );
}

/// The number of connections to this database that wait for a lock.
async fn blocked(pool: &PgPool) -> i64 {
    let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    sqlx::query_scalar(waiting).fetch_one(pool).await.unwrap()
}

#[tokio::test]
async fn a_status_that_is_none_is_refused_with_the_field() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    for status in ["lost", "on_the_way", "cancelled"] {
        let answer = fixture.set_status(&delivery, status).await;
        assert!(
            answer.body["fields"].get("status").is_some(),
            "{}",
            answer.text
        );
        answer.problem(422);
    }
    assert!(fixture.events().await.is_empty());
}
