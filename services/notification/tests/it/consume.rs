use serde_json::json;
use tiffin_testkit::{History, drain_rows, feed_samples, histories};
use time::Duration;

use crate::fixture::{CUSTOMER, DRIVER, Fixture, OWNER, event, journey};

#[tokio::test]
async fn every_sample_is_taken_once_and_its_repetition_changes_nothing() {
    let fixture = Fixture::start().await;
    for consumer in &fixture.consumers {
        feed_samples(consumer, &fixture.db.pool).await;
    }
}

#[tokio::test]
async fn the_main_job_makes_one_set_of_notifications() {
    let fixture = Fixture::with_accounts().await;
    for event in journey() {
        assert!(fixture.deliver(&event).await);
    }
    assert_eq!(
        fixture.topics(CUSTOMER).await,
        [
            "order_confirmed",
            "delivery_on_the_way",
            "delivery_delivered"
        ]
    );
    assert_eq!(
        fixture.topics(OWNER).await,
        ["order_placed", "delivery_delivered"]
    );
    assert_eq!(fixture.topics(DRIVER).await, ["delivery_assigned"]);
    let rows = drain_rows(&fixture.db.pool).await;
    let notified: Vec<_> = rows.iter().flat_map(|row| row.audience.clone()).collect();
    assert_eq!(
        notified,
        [OWNER, CUSTOMER, DRIVER, CUSTOMER, CUSTOMER, OWNER]
    );
    for row in &rows {
        let text = row.body.to_string();
        for private in ["Kamala", "Sunil", "Ruwan", "@tiffin.local", "Galle Road"] {
            assert!(!text.contains(private), "{text}");
        }
    }
}

#[tokio::test]
async fn nothing_is_sent_twice_even_by_a_consumer_that_forgot() {
    let fixture = Fixture::with_accounts().await;
    let events = journey();
    for event in &events {
        fixture.deliver(event).await;
    }
    assert_eq!(fixture.mails().await.len(), 6);
    fixture.events().await;
    for event in &events {
        assert!(!fixture.deliver(event).await);
    }
    sqlx::raw_sql("truncate bus.reached")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    sqlx::raw_sql("update orders set confirmed = false")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    for event in &events {
        assert!(fixture.deliver(event).await);
    }
    assert_eq!(fixture.mails().await.len(), 6);
    assert!(fixture.events().await.is_empty());
    assert_eq!(fixture.list(CUSTOMER).await.len(), 3);
}

#[tokio::test]
async fn a_replay_fills_the_lists_and_sends_nothing() {
    let fixture = Fixture::with_accounts().await;
    for event in journey() {
        assert!(fixture.deliver_as(&event, Some("replay-1")).await);
    }
    assert_eq!(fixture.topics(CUSTOMER).await.len(), 3);
    assert!(fixture.mails().await.is_empty());
    let rows = drain_rows(&fixture.db.pool).await;
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row.audience.is_empty()));
}

#[tokio::test]
async fn old_news_is_listed_by_its_own_time_and_not_mailed() {
    let fixture = Fixture::with_accounts().await;
    fixture.clock.advance(Duration::hours(7));
    fixture.deliver(&journey()[0]).await;
    let list = fixture.list(OWNER).await;
    assert_eq!(list[0]["timestamp"], "2026-11-21T09:00:00Z");
    assert!(fixture.mails().await.is_empty());
}

#[tokio::test]
async fn a_second_confirmation_is_news_only_after_the_first_was_taken_back() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    fixture
        .deliver(&event("tiffin.order.confirmed.v1", 2))
        .await;
    fixture
        .deliver(&event("tiffin.order.confirmed.v1", 3))
        .await;
    assert_eq!(fixture.topics(CUSTOMER).await, ["order_confirmed"]);
    let mut reopened = event("tiffin.order.reopened.v1", 4);
    reopened.data["to"] = json!("pending");
    fixture.deliver(&reopened).await;
    fixture
        .deliver(&event("tiffin.order.confirmed.v1", 5))
        .await;
    assert_eq!(
        fixture.topics(CUSTOMER).await,
        ["order_confirmed", "order_confirmed"]
    );
}

#[tokio::test]
async fn all_three_are_notified_of_a_cancelled_order() {
    let fixture = Fixture::with_accounts().await;
    fixture
        .deliver(&event("tiffin.order.cancelled.v1", 1))
        .await;
    for user in [CUSTOMER, OWNER, DRIVER] {
        assert_eq!(fixture.topics(user).await, ["order_cancelled"]);
    }
    assert_eq!(fixture.mails().await.len(), 3);
}

#[tokio::test]
async fn what_is_known_of_others_can_be_rebuilt_and_nothing_is_sent_again() {
    let fixture = Fixture::start().await;
    let history = History::new(
        tiffin_notification::NAME,
        &fixture.db.pool,
        &fixture.consumers,
    )
    .await;
    for event in histories() {
        history.deliver(&event).await;
    }
    assert!(!drain_rows(&fixture.db.pool).await.is_empty());
    history.rebuild_all().await;
    assert!(drain_rows(&fixture.db.pool).await.is_empty());
}
