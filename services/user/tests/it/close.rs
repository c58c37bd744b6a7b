use serde_json::json;
use tiffin_bus::Received;
use tiffin_events::{Clock, Envelope, Role, UserId};
use tiffin_testkit::{History, feed_samples, histories, sample};
use tiffin_user::consumers;
use time::Duration;

use crate::harness::{PASSWORD, Service, form};

async fn order(service: &Service, name: &str, sequence: i64, customer: UserId) {
    let mut envelope = Envelope {
        id: Clock::system().new_id(),
        sequence,
        ..sample(&format!("tiffin.order.{name}.v1"))
    };
    envelope.data["customerId"] = json!(customer);
    let received = Received::new(&envelope, 1).unwrap();
    consumers(&service.state)[0]
        .deliver(&received)
        .await
        .unwrap();
}

#[tokio::test]
async fn an_account_that_is_gone_leaves_nothing_behind() {
    let service = Service::start().await;
    service
        .app
        .post("/api/v1/users")
        .header("idempotency-key", "k")
        .json(&form("c@tiffin.local"))
        .await
        .expect(201);
    let other = service.person(Role::Customer, "o@tiffin.local").await;
    let me = service.sign_in("c@tiffin.local").await;
    let admin = service.person(Role::Admin, "a@tiffin.local").await;
    service
        .app
        .get("/api/v1/users/sendOTP")
        .token(&me.token)
        .await
        .expect(200);
    service.forgot("c@tiffin.local").await.expect(202);
    service.clock.advance(Duration::seconds(1));
    let path = format!("/api/v1/users/{}", me.id);
    service
        .app
        .delete(&path)
        .token(&other.token)
        .await
        .problem(403);
    service.app.delete(&path).await.problem(401);
    assert_eq!(
        service
            .app
            .delete(&path)
            .token(&admin.token)
            .await
            .expect(200)["message"],
        "Account removed."
    );
    service
        .app
        .delete(&path)
        .token(&admin.token)
        .await
        .problem(404);
    assert_eq!(service.event_names().await, ["deleted"]);
    service
        .app
        .get("/api/v1/users/sendOTP")
        .token(&me.token)
        .await
        .problem(401);
    service.refresh(&me.refresh).await.problem(401);
    service.login("c@tiffin.local", PASSWORD).await.problem(401);
    assert!(service.mails().await.is_empty());
    for table in [
        "users",
        "mails",
        "codes",
        "password_requests",
        "password_resets",
        "http.idempotency",
    ] {
        let sql = format!("select coalesce(string_agg(t::text, ' '), '') from {table} t");
        let rows: String = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .fetch_one(&service.db.pool)
            .await
            .unwrap();
        assert!(
            !rows.contains("c@tiffin.local") && !rows.contains("Anne-Marie"),
            "{table}: {rows}"
        );
    }
    let listed = service
        .app
        .get("/api/v1/users")
        .token(&admin.token)
        .await
        .expect(200);
    assert_eq!(listed.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_freed_address_may_be_taken_and_inherits_nothing() {
    let service = Service::start().await;
    let me = service.person(Role::Customer, "c@tiffin.local").await;
    let answer = service
        .app
        .delete(&format!("/api/v1/users/{}", me.id))
        .token(&me.token)
        .await;
    assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
    answer.expect(200);
    let body = service
        .app
        .post("/api/v1/users")
        .json(&form("c@tiffin.local"))
        .await
        .expect(201);
    assert_ne!(body["user"]["id"], json!(me.id));
}

#[tokio::test]
async fn no_account_closes_while_its_order_is_under_way() {
    let service = Service::start().await;
    let me = service.person(Role::Customer, "c@tiffin.local").await;
    let path = format!("/api/v1/users/{}", me.id);
    order(&service, "placed", 1, me.id).await;
    order(&service, "confirmed", 2, me.id).await;
    service
        .app
        .delete(&path)
        .token(&me.token)
        .await
        .problem(409);
    order(&service, "delivered", 3, me.id).await;
    order(&service, "reopened", 4, me.id).await;
    service
        .app
        .delete(&path)
        .token(&me.token)
        .await
        .problem(409);
    assert!(service.events().await.is_empty());
    order(&service, "cancelled", 5, me.id).await;
    service.app.delete(&path).token(&me.token).await.expect(200);
}

#[tokio::test]
async fn the_last_administrator_stays() {
    let service = Service::start().await;
    let admin = service.person(Role::Admin, "a@tiffin.local").await;
    let path = format!("/api/v1/users/{}", admin.id);
    service
        .app
        .delete(&path)
        .token(&admin.token)
        .await
        .problem(409);
}

#[tokio::test]
async fn every_sample_is_taken_once_and_its_repetition_changes_nothing() {
    let service = Service::start().await;
    for consumer in &consumers(&service.state) {
        feed_samples(consumer, &service.db.pool).await;
    }
}

#[tokio::test]
async fn the_orders_under_way_can_be_rebuilt() {
    let service = Service::start().await;
    let consumers = consumers(&service.state);
    let history = History::new(tiffin_user::NAME, &service.db.pool, &consumers).await;
    for event in histories() {
        history.deliver(&event).await;
    }
    // All of those came to an end.
    let id = Clock::system().new_id();
    let mut placed = sample("tiffin.order.placed.v1");
    (placed.id, placed.subject) = (Clock::system().new_id(), id);
    placed.data["orderId"] = json!(id);
    history.deliver(&placed).await;
    history.rebuild_all().await;
}
