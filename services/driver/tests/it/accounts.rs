use serde_json::json;
use tiffin_events::{Role, user::UserEvent};
use tiffin_testkit::{History, feed_samples, histories};

use crate::fixture::{Fixture, form, profile, user_ref};

const EMAIL: &str = "kasun@example.com";

#[tokio::test]
async fn every_sample_fed_twice_changes_things_once() {
    let fixture = Fixture::start().await;
    feed_samples(&fixture.consumer, &fixture.pool).await;
    feed_samples(&fixture.catalogue, &fixture.pool).await;
}

#[tokio::test]
async fn the_accounts_of_drivers_can_be_rebuilt() {
    let fixture = Fixture::start().await;
    // Before the events of their account come.
    let id = fixture.register(EMAIL).await;
    let consumers = [fixture.catalogue.clone(), fixture.consumer.clone()];
    let history = History::new(tiffin_driver::NAME, &fixture.pool, &consumers).await;
    for mut event in histories() {
        if event.data["role"] == "customer" {
            event.data["role"] = json!("delivery");
        }
        history.deliver(&event).await;
    }
    history.rebuild_all().await;
    let list = fixture
        .app
        .get("/api/v1/driver")
        .token(&fixture.admin())
        .await;
    let list = list.expect(200);
    assert_eq!(
        (&list[0]["id"], &list[0]["email"]),
        (&json!(id), &json!(EMAIL))
    );
}

#[tokio::test]
async fn blocking_a_driver_makes_them_unavailable() {
    let fixture = Fixture::start().await;
    let id = fixture.register(EMAIL).await;
    fixture
        .deliver_user_event(id, 1, UserEvent::Registered(profile(id, EMAIL)))
        .await;
    fixture.update(id, json!({"isAvailable": true})).await;
    fixture.published().await;
    fixture
        .deliver_user_event(id, 2, UserEvent::Blocked(user_ref(id).into()))
        .await;
    assert_eq!(
        fixture.published().await,
        [("unavailable.v1".to_owned(), 3)]
    );
    fixture
        .deliver_user_event(id, 3, UserEvent::Unblocked(user_ref(id)))
        .await;
    assert_eq!(fixture.published().await, [("available.v1".to_owned(), 4)]);
    fixture.update(id, json!({"isAvailable": false})).await;
    fixture.published().await;
    for (sequence, event) in [
        (4, UserEvent::Blocked(user_ref(id).into())),
        (5, UserEvent::Unblocked(user_ref(id))),
    ] {
        fixture.deliver_user_event(id, sequence, event).await;
    }
    assert_eq!(fixture.published().await, [], "they took none before");
}

#[tokio::test]
async fn names_follow_the_profile() {
    let fixture = Fixture::start().await;
    let id = fixture.register(EMAIL).await;
    fixture
        .deliver_user_event(id, 1, UserEvent::Registered(profile(id, EMAIL)))
        .await;
    let mut new = profile(id, EMAIL);
    new.first_name = "Kasuni".to_owned();
    fixture
        .deliver_user_event(id, 2, UserEvent::Updated(new))
        .await;
    let list = fixture
        .app
        .get("/api/v1/driver")
        .token(&fixture.admin())
        .await
        .expect(200);
    assert_eq!(list[0]["firstName"], "Kasuni");
}

#[tokio::test]
async fn a_deleted_driver_leaves_nothing_personal_behind() {
    let fixture = Fixture::start().await;
    let call = fixture
        .app
        .post("/api/v1/driver")
        .header("idempotency-key", "k1");
    let answer = call.json(&form(EMAIL)).await.expect(201);
    let id = answer["driver"]["id"].as_str().unwrap().parse().unwrap();
    fixture
        .deliver_user_event(id, 1, UserEvent::Registered(profile(id, EMAIL)))
        .await;
    fixture.update(id, json!({"isAvailable": true})).await;
    fixture
        .deliver_user_event(id, 2, UserEvent::Deleted(user_ref(id)))
        .await;
    assert_eq!(
        fixture.published().await.last().unwrap(),
        &("unavailable.v1".to_owned(), 3)
    );
    let list = fixture
        .app
        .get("/api/v1/driver")
        .token(&fixture.admin())
        .await
        .expect(200);
    assert_eq!(list, json!([]));
    let left = sqlx::query_scalar::<_, String>(
        "select concat(p.email, p.first_name, p.last_name, p.phone, p.address, p.image, d.dr_nic)
         from people p join drivers d on d.id = p.id",
    );
    assert_eq!(left.fetch_one(&fixture.pool).await.unwrap(), "");
    let forms = sqlx::query_scalar::<_, i64>(
        "select (select count(*) from applications) + (select count(*) from http.idempotency)",
    );
    assert_eq!(forms.fetch_one(&fixture.pool).await.unwrap(), 0);
}

#[tokio::test]
async fn people_who_drive_nothing_are_no_business_of_this_service() {
    let fixture = Fixture::start().await;
    let id = tiffin_events::UserId(uuid::Uuid::from_u128(7));
    let mut customer = profile(id, "nimal@example.com");
    customer.role = Role::Customer;
    fixture
        .deliver_user_event(id, 1, UserEvent::Registered(customer))
        .await;
    fixture
        .deliver_user_event(id, 2, UserEvent::Blocked(user_ref(id).into()))
        .await;
    let people = sqlx::query_scalar::<_, i64>("select count(*) from people");
    assert_eq!(people.fetch_one(&fixture.pool).await.unwrap(), 0);
}
