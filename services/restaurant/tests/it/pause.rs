//! Pauses and busy times, which end by themselves.

use serde_json::{Value, json};
use tiffin_events::UserId;
use tiffin_testkit::{Answer, drain_outbox};

use crate::fixture::{CUSTOMER, Fixture, OTHER, OWNER};

async fn put(
    fixture: &Fixture,
    call: &str,
    restaurant: &str,
    user: UserId,
    body: &Value,
) -> Answer {
    let path = format!("/api/v1/restaurant/{call}/{restaurant}");
    let call = fixture.app.put(&path).token(&fixture.token(user));
    call.json(body).await
}

async fn shown(fixture: &Fixture, restaurant: &str) -> Value {
    let path = format!("/api/v1/restaurant/getOne/{restaurant}");
    let one = fixture.app.get(&path).await.expect(200);
    let all = fixture.app.get("/api/v1/restaurant").await.expect(200);
    assert_eq!(all, json!([one]));
    one
}

async fn toggle(fixture: &Fixture, call: &str, restaurant: &str) {
    let path = format!("/api/v1/restaurant/{call}/{restaurant}");
    let call = fixture.app.post(&path).token(&fixture.token(OWNER));
    call.await.expect(200);
}

async fn kinds(fixture: &Fixture) -> Vec<String> {
    let events = drain_outbox(&fixture.pool).await;
    events.into_iter().map(|event| event.kind).collect()
}

#[tokio::test]
async fn a_paused_restaurant_is_not_open_until_it_opens_or_the_time_is_past() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    kinds(&fixture).await;
    for body in [json!({ "minutes": 30 }), json!({})] {
        let answer = put(&fixture, "pause", &restaurant, OWNER, &body).await;
        let paused = &answer.expect(200)["restaurant"];
        assert_eq!(paused["isOpen"], false);
        assert!(paused["pausedUntil"].is_string(), "{paused}");
        assert_eq!(&shown(&fixture, &restaurant).await, paused);
    }
    toggle(&fixture, "isOpen", &restaurant).await;
    let open = shown(&fixture, &restaurant).await;
    assert_eq!(
        (&open["isOpen"], &open["pausedUntil"]),
        (&json!(true), &Value::Null)
    );
    put(
        &fixture,
        "pause",
        &restaurant,
        OWNER,
        &json!({ "minutes": 5 }),
    )
    .await
    .expect(200);
    sqlx::raw_sql("update restaurants set paused_until = paused_until - interval '6 minutes'")
        .execute(&fixture.pool)
        .await
        .unwrap();
    let open = shown(&fixture, &restaurant).await;
    assert_eq!(
        (&open["isOpen"], &open["pausedUntil"]),
        (&json!(true), &Value::Null)
    );
    let paused = "tiffin.restaurant.paused.v1";
    assert_eq!(
        kinds(&fixture).await,
        [paused, paused, "tiffin.restaurant.opened.v1", paused]
    );
}

#[tokio::test]
async fn a_busy_restaurant_says_by_how_much_and_until_when() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    kinds(&fixture).await;
    let set = async |minutes: i32| {
        let body = json!({ "minutes": minutes });
        let answer = put(&fixture, "busy", &restaurant, OWNER, &body).await;
        answer.expect(200)["restaurant"].clone()
    };
    assert_eq!(set(0).await["busyMinutes"], Value::Null);
    let busy = set(20).await;
    assert_eq!(
        (&busy["busyMinutes"], &busy["isOpen"]),
        (&json!(20), &json!(true))
    );
    assert!(busy["busyUntil"].is_string(), "{busy}");
    assert_eq!(shown(&fixture, &restaurant).await, busy);
    assert_eq!(set(0).await["busyMinutes"], Value::Null);
    let events = drain_outbox(&fixture.pool).await;
    let minutes: Vec<_> = events
        .iter()
        .map(|event| event.data["minutes"].clone())
        .collect();
    assert_eq!(minutes, [json!(20), json!(0)]);
    set(20).await;
    sqlx::raw_sql("update restaurants set busy_until = busy_until - interval '1 hour'")
        .execute(&fixture.pool)
        .await
        .unwrap();
    let past = shown(&fixture, &restaurant).await;
    assert_eq!(
        (&past["busyMinutes"], &past["busyUntil"]),
        (&Value::Null, &Value::Null)
    );
}

#[tokio::test]
async fn only_its_owner_pauses_an_open_restaurant_for_a_sensible_time() {
    let fixture = Fixture::new().await;
    let restaurant = fixture.restaurant().await;
    kinds(&fixture).await;
    for (call, minutes) in [("pause", 4), ("pause", 1_441), ("busy", -1), ("busy", 61)] {
        put(
            &fixture,
            call,
            &restaurant,
            OWNER,
            &json!({ "minutes": minutes }),
        )
        .await
        .problem(422);
    }
    for call in ["pause", "busy"] {
        let body = json!({ "minutes": 30 });
        for user in [OTHER, CUSTOMER] {
            put(&fixture, call, &restaurant, user, &body)
                .await
                .problem(403);
        }
        put(&fixture, call, "none", OWNER, &body).await.problem(404);
    }
    toggle(&fixture, "isClose", &restaurant).await;
    kinds(&fixture).await;
    let refused = put(
        &fixture,
        "pause",
        &restaurant,
        OWNER,
        &json!({ "minutes": 30 }),
    )
    .await;
    assert_eq!(refused.body["code"], "restaurant.closed");
    assert!(kinds(&fixture).await.is_empty());
}
