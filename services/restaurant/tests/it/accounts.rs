use serde_json::json;
use tiffin_events::{UserId, user::UserEvent};
use tiffin_testkit::{History, feed_samples, histories, tables_with};

use crate::fixture::{ADMIN, Fixture, OWNER, form, registered, user_ref};

#[tokio::test]
async fn every_sample_fed_twice_changes_things_once() {
    let fixture = Fixture::new().await;
    feed_samples(fixture.users(), &fixture.pool).await;
}

#[tokio::test]
async fn the_rows_about_accounts_can_be_rebuilt() {
    let fixture = Fixture::new().await;
    let consumers = [fixture.users().clone()];
    let history = History::new(tiffin_restaurant::NAME, &fixture.pool, &consumers).await;
    for event in histories() {
        history.deliver(&event).await;
    }
    history.rebuild_all().await;
}

#[tokio::test]
async fn blocking_an_owner_closes_their_restaurants_and_unblocking_opens_those_again() {
    let fixture = Fixture::new().await;
    fixture
        .deliver_event(OWNER, 1, registered(OWNER, "Ruwan"))
        .await;
    let (open, closed) = (fixture.restaurant().await, fixture.restaurant().await);
    let close = format!("/api/v1/restaurant/isClose/{closed}");
    fixture
        .app
        .post(&close)
        .token(&fixture.token(OWNER))
        .await
        .expect(200);
    fixture.published().await;
    fixture
        .deliver_event(OWNER, 2, UserEvent::Blocked(user_ref(OWNER).into()))
        .await;
    assert_eq!(
        fixture.published().await,
        [("restaurant.closed.v1".to_owned(), 2, vec![OWNER])]
    );
    let reopen = format!("/api/v1/restaurant/isOpen/{open}");
    let refused = fixture.app.post(&reopen).token(&fixture.token(ADMIN)).await;
    assert_eq!(
        refused.problem(409),
        "The owner of this restaurant is blocked."
    );
    fixture
        .deliver_event(OWNER, 3, UserEvent::Unblocked(user_ref(OWNER)))
        .await;
    // The other one was closed before.
    assert_eq!(
        fixture.published().await,
        [("restaurant.opened.v1".to_owned(), 3, vec![OWNER])]
    );
    fixture
        .app
        .post(&format!("/api/v1/restaurant/isClose/{open}"))
        .token(&fixture.token(OWNER))
        .await
        .expect(200);
    fixture.published().await;
    for (sequence, event) in [
        (4, UserEvent::Blocked(user_ref(OWNER).into())),
        (5, UserEvent::Unblocked(user_ref(OWNER))),
    ] {
        fixture.deliver_event(OWNER, sequence, event).await;
    }
    assert_eq!(fixture.published().await, [], "both stay closed");
}

#[tokio::test]
async fn the_list_of_an_owner_has_their_restaurants_alone() {
    let fixture = Fixture::new().await;
    let own = fixture.restaurant().await;
    let list = async |owner: UserId| {
        let path = format!("/api/v1/restaurant?ownerId={owner}");
        let list = fixture.app.get(&path).await.expect(200);
        list.as_array().unwrap().clone()
    };
    let found = list(OWNER).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["_id"], json!(own));
    assert_eq!(list(ADMIN).await, Vec::<serde_json::Value>::new());
    let bad = fixture.app.get("/api/v1/restaurant?ownerId=7").await;
    bad.problem(422);
}

#[tokio::test]
async fn an_owners_name_follows_their_profile_and_goes_with_their_account() {
    let fixture = Fixture::new().await;
    let path = format!("/api/v1/restaurant/getOne/{}", fixture.restaurant().await);
    assert_eq!(fixture.app.get(&path).await.expect(200)["ownerName"], "");
    fixture
        .deliver_event(OWNER, 1, registered(OWNER, "Ruwan"))
        .await;
    assert_eq!(
        fixture.app.get(&path).await.expect(200)["ownerName"],
        "Ruwan Silva"
    );
    let call = fixture
        .app
        .post("/api/v1/restaurant")
        .token(&fixture.token(OWNER));
    let call = call.header("idempotency-key", "k1").json(&form());
    call.await.expect(201);
    let UserEvent::Registered(profile) = registered(OWNER, "Nadeesha") else {
        panic!()
    };
    fixture
        .deliver_event(OWNER, 2, UserEvent::Updated(profile))
        .await;
    assert_eq!(
        fixture.app.get(&path).await.expect(200)["ownerName"],
        "Nadeesha Silva"
    );
    fixture
        .deliver_event(OWNER, 3, UserEvent::Deleted(user_ref(OWNER)))
        .await;
    let restaurant = fixture.app.get(&path).await.expect(200);
    assert_eq!(
        (&restaurant["ownerName"], &restaurant["isOpen"]),
        (&json!(""), &json!(false))
    );
    let names = sqlx::query_scalar::<_, String>("select first_name || last_name from people");
    assert_eq!(names.fetch_one(&fixture.pool).await.unwrap(), "");
    let found = tables_with(&fixture.pool, form()["phone"].as_str().unwrap()).await;
    assert!(found.is_empty(), "{found:?}");
    let kept = sqlx::query_scalar::<_, i64>("select count(*) from http.idempotency");
    assert_eq!(kept.fetch_one(&fixture.pool).await.unwrap(), 0);
}
