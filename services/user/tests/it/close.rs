use serde_json::json;
use tiffin_bus::Received;
use tiffin_events::{Clock, Envelope, Role, UserId};
use tiffin_testkit::{History, feed_samples, histories, sample};
use tiffin_user::consumers;
use time::Duration;

use crate::fixture::{Fixture, PASSWORD, form};

async fn order(fixture: &Fixture, name: &str, sequence: i64, customer: UserId) {
    let mut envelope = Envelope {
        id: Clock::system().new_id(),
        sequence,
        ..sample(&format!("tiffin.order.{name}.v1"))
    };
    envelope.data["customerId"] = json!(customer);
    let received = Received::new(&envelope, 1).unwrap();
    consumers(&fixture.state)[0]
        .deliver(&received)
        .await
        .unwrap();
}

#[tokio::test]
async fn an_account_that_is_gone_leaves_nothing_behind() {
    let fixture = Fixture::start().await;
    fixture
        .app
        .post("/api/v1/users")
        .header("idempotency-key", "k")
        .json(&form("c@tiffin.local"))
        .await
        .expect(201);
    let other = fixture.account(Role::Customer, "o@tiffin.local").await;
    let me = fixture.sign_in("c@tiffin.local").await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    fixture
        .app
        .get("/api/v1/users/sendOTP")
        .token(&me.token)
        .await
        .expect(200);
    fixture.forgot("c@tiffin.local").await.expect(202);
    fixture.clock.advance(Duration::seconds(1));
    let path = format!("/api/v1/users/{}", me.id);
    fixture
        .app
        .delete(&path)
        .token(&other.token)
        .await
        .problem(403);
    fixture.app.delete(&path).await.problem(401);
    assert_eq!(
        fixture
            .app
            .delete(&path)
            .token(&admin.token)
            .await
            .expect(200)["message"],
        "Account removed."
    );
    fixture
        .app
        .delete(&path)
        .token(&admin.token)
        .await
        .problem(404);
    assert_eq!(fixture.event_names().await, ["deleted"]);
    fixture
        .app
        .get("/api/v1/users/sendOTP")
        .token(&me.token)
        .await
        .problem(401);
    fixture.refresh(&me.refresh).await.problem(401);
    fixture.login("c@tiffin.local", PASSWORD).await.problem(401);
    assert!(fixture.mails().await.is_empty());
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
            .fetch_one(&fixture.db.pool)
            .await
            .unwrap();
        assert!(
            !rows.contains("c@tiffin.local") && !rows.contains("Anne-Marie"),
            "{table}: {rows}"
        );
    }
    let listed = fixture
        .app
        .get("/api/v1/users")
        .token(&admin.token)
        .await
        .expect(200);
    assert_eq!(listed.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_freed_address_may_be_taken_and_inherits_nothing() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let answer = fixture
        .app
        .delete(&format!("/api/v1/users/{}", me.id))
        .token(&me.token)
        .await;
    assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
    answer.expect(200);
    let body = fixture
        .app
        .post("/api/v1/users")
        .json(&form("c@tiffin.local"))
        .await
        .expect(201);
    assert_ne!(body["user"]["id"], json!(me.id));
}

#[tokio::test]
async fn no_account_closes_while_its_order_is_under_way() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let path = format!("/api/v1/users/{}", me.id);
    order(&fixture, "placed", 1, me.id).await;
    order(&fixture, "confirmed", 2, me.id).await;
    fixture
        .app
        .delete(&path)
        .token(&me.token)
        .await
        .problem(409);
    order(&fixture, "delivered", 3, me.id).await;
    order(&fixture, "reopened", 4, me.id).await;
    fixture
        .app
        .delete(&path)
        .token(&me.token)
        .await
        .problem(409);
    assert!(fixture.events().await.is_empty());
    order(&fixture, "cancelled", 5, me.id).await;
    fixture.app.delete(&path).token(&me.token).await.expect(200);
}

#[tokio::test]
async fn the_last_administrator_stays() {
    let fixture = Fixture::start().await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let path = format!("/api/v1/users/{}", admin.id);
    fixture
        .app
        .delete(&path)
        .token(&admin.token)
        .await
        .problem(409);
}

#[tokio::test]
async fn every_sample_is_taken_once_and_its_repetition_changes_nothing() {
    let fixture = Fixture::start().await;
    for consumer in &consumers(&fixture.state) {
        feed_samples(consumer, &fixture.db.pool).await;
    }
}

#[tokio::test]
async fn the_orders_under_way_can_be_rebuilt() {
    let fixture = Fixture::start().await;
    let consumers = consumers(&fixture.state);
    let history = History::new(tiffin_user::NAME, &fixture.db.pool, &consumers).await;
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
