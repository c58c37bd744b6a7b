use serde_json::json;
use tiffin_events::{Role, user::UserEvent};
use tiffin_testkit::{History, feed_samples, histories};

use crate::fleet::{Fleet, form, profile, whom};

const EMAIL: &str = "kasun@example.com";

#[tokio::test]
async fn every_sample_fed_twice_changes_things_once() {
    let fleet = Fleet::start().await;
    feed_samples(&fleet.consumer, &fleet.pool).await;
    feed_samples(&fleet.catalogue, &fleet.pool).await;
}

#[tokio::test]
async fn the_accounts_of_drivers_can_be_rebuilt() {
    let fleet = Fleet::start().await;
    // Before the events of their account come.
    let id = fleet.register(EMAIL).await;
    let consumers = [fleet.catalogue.clone(), fleet.consumer.clone()];
    let history = History::new(tiffin_driver::NAME, &fleet.pool, &consumers).await;
    for mut event in histories() {
        if event.data["role"] == "customer" {
            event.data["role"] = json!("delivery");
        }
        history.deliver(&event).await;
    }
    history.rebuild_all().await;
    let list = fleet.app.get("/api/v1/driver").token(&fleet.admin()).await;
    let list = list.expect(200);
    assert_eq!(
        (&list[0]["id"], &list[0]["email"]),
        (&json!(id), &json!(EMAIL))
    );
}

#[tokio::test]
async fn blocking_a_driver_makes_them_unavailable() {
    let fleet = Fleet::start().await;
    let id = fleet.register(EMAIL).await;
    fleet
        .hear(id, 1, UserEvent::Registered(profile(id, EMAIL)))
        .await;
    fleet.update(id, json!({"isAvailable": true})).await;
    fleet.published().await;
    fleet.hear(id, 2, UserEvent::Blocked(whom(id))).await;
    assert_eq!(fleet.published().await, [("unavailable.v1".to_owned(), 3)]);
    fleet.hear(id, 3, UserEvent::Unblocked(whom(id))).await;
    assert_eq!(fleet.published().await, []);
    fleet.update(id, json!({"isAvailable": true})).await;
}

#[tokio::test]
async fn names_follow_the_profile() {
    let fleet = Fleet::start().await;
    let id = fleet.register(EMAIL).await;
    fleet
        .hear(id, 1, UserEvent::Registered(profile(id, EMAIL)))
        .await;
    let mut new = profile(id, EMAIL);
    new.first_name = "Kasuni".to_owned();
    fleet.hear(id, 2, UserEvent::Updated(new)).await;
    let list = fleet
        .app
        .get("/api/v1/driver")
        .token(&fleet.admin())
        .await
        .expect(200);
    assert_eq!(list[0]["firstName"], "Kasuni");
}

#[tokio::test]
async fn a_deleted_driver_leaves_nothing_personal_behind() {
    let fleet = Fleet::start().await;
    let call = fleet
        .app
        .post("/api/v1/driver")
        .header("idempotency-key", "k1");
    let answer = call.json(&form(EMAIL)).await.expect(201);
    let id = answer["driver"]["id"].as_str().unwrap().parse().unwrap();
    fleet
        .hear(id, 1, UserEvent::Registered(profile(id, EMAIL)))
        .await;
    fleet.update(id, json!({"isAvailable": true})).await;
    fleet.hear(id, 2, UserEvent::Deleted(whom(id))).await;
    assert_eq!(
        fleet.published().await.last().unwrap(),
        &("unavailable.v1".to_owned(), 3)
    );
    let list = fleet
        .app
        .get("/api/v1/driver")
        .token(&fleet.admin())
        .await
        .expect(200);
    assert_eq!(list, json!([]));
    let left = sqlx::query_scalar::<_, String>(
        "select concat(p.email, p.first_name, p.last_name, p.phone, p.address, p.image, d.dr_nic)
         from people p join drivers d on d.id = p.id",
    );
    assert_eq!(left.fetch_one(&fleet.pool).await.unwrap(), "");
    let forms = sqlx::query_scalar::<_, i64>(
        "select (select count(*) from applications) + (select count(*) from http.idempotency)",
    );
    assert_eq!(forms.fetch_one(&fleet.pool).await.unwrap(), 0);
}

#[tokio::test]
async fn people_who_drive_nothing_are_no_business_of_this_service() {
    let fleet = Fleet::start().await;
    let id = tiffin_events::UserId(uuid::Uuid::from_u128(7));
    let mut customer = profile(id, "nimal@example.com");
    customer.role = Role::Customer;
    fleet.hear(id, 1, UserEvent::Registered(customer)).await;
    fleet.hear(id, 2, UserEvent::Blocked(whom(id))).await;
    let people = sqlx::query_scalar::<_, i64>("select count(*) from people");
    assert_eq!(people.fetch_one(&fleet.pool).await.unwrap(), 0);
}
