use serde_json::json;
use tiffin_events::user::UserEvent;
use tiffin_testkit::{History, feed_samples, histories};

use crate::kitchen::{ADMIN, Kitchen, OWNER, form, registered, whom};

#[tokio::test]
async fn every_sample_fed_twice_changes_things_once() {
    let kitchen = Kitchen::open().await;
    feed_samples(kitchen.users(), &kitchen.pool).await;
}

#[tokio::test]
async fn the_rows_about_accounts_can_be_rebuilt() {
    let kitchen = Kitchen::open().await;
    let consumers = [kitchen.users().clone()];
    let history = History::new(tiffin_restaurant::NAME, &kitchen.pool, &consumers).await;
    for event in histories() {
        history.deliver(&event).await;
    }
    history.rebuild_all().await;
}

#[tokio::test]
async fn blocking_an_owner_closes_their_restaurants_for_good() {
    let kitchen = Kitchen::open().await;
    kitchen.hear(OWNER, 1, registered(OWNER, "Ruwan")).await;
    let (open, closed) = (kitchen.restaurant().await, kitchen.restaurant().await);
    let close = format!("/api/v1/restaurant/isClose/{closed}");
    kitchen
        .app
        .post(&close)
        .token(&kitchen.token(OWNER))
        .await
        .expect(200);
    kitchen.published().await;
    kitchen
        .hear(OWNER, 2, UserEvent::Blocked(whom(OWNER)))
        .await;
    assert_eq!(
        kitchen.published().await,
        [("restaurant.closed.v1".to_owned(), 2, vec![OWNER])]
    );
    let reopen = format!("/api/v1/restaurant/isOpen/{open}");
    let refused = kitchen.app.post(&reopen).token(&kitchen.token(ADMIN)).await;
    assert_eq!(
        refused.problem(409),
        "The owner of this restaurant is blocked."
    );
    kitchen
        .hear(OWNER, 3, UserEvent::Unblocked(whom(OWNER)))
        .await;
    assert_eq!(kitchen.published().await, []);
    kitchen
        .app
        .post(&reopen)
        .token(&kitchen.token(OWNER))
        .await
        .expect(200);
}

#[tokio::test]
async fn an_owners_name_follows_their_profile_and_goes_with_their_account() {
    let kitchen = Kitchen::open().await;
    let path = format!("/api/v1/restaurant/getOne/{}", kitchen.restaurant().await);
    assert_eq!(kitchen.app.get(&path).await.expect(200)["ownerName"], "");
    kitchen.hear(OWNER, 1, registered(OWNER, "Ruwan")).await;
    assert_eq!(
        kitchen.app.get(&path).await.expect(200)["ownerName"],
        "Ruwan Silva"
    );
    let call = kitchen
        .app
        .post("/api/v1/restaurant")
        .token(&kitchen.token(OWNER));
    let call = call.header("idempotency-key", "k1").json(&form());
    call.await.expect(201);
    let UserEvent::Registered(profile) = registered(OWNER, "Nadeesha") else {
        panic!()
    };
    kitchen.hear(OWNER, 2, UserEvent::Updated(profile)).await;
    assert_eq!(
        kitchen.app.get(&path).await.expect(200)["ownerName"],
        "Nadeesha Silva"
    );
    kitchen
        .hear(OWNER, 3, UserEvent::Deleted(whom(OWNER)))
        .await;
    let restaurant = kitchen.app.get(&path).await.expect(200);
    assert_eq!(
        (&restaurant["ownerName"], &restaurant["isOpen"]),
        (&json!(""), &json!(false))
    );
    let names = sqlx::query_scalar::<_, String>("select first_name || last_name from people");
    assert_eq!(names.fetch_one(&kitchen.pool).await.unwrap(), "");
    let kept = sqlx::query_scalar::<_, i64>("select count(*) from http.idempotency");
    assert_eq!(kept.fetch_one(&kitchen.pool).await.unwrap(), 0);
}
