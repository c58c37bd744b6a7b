use serde_json::json;
use tiffin_testkit::{History, drain_rows, feed_samples, histories};
use time::Duration;

use crate::harness::{CUSTOMER, DRIVER, OWNER, Service, event, journey};

#[tokio::test]
async fn every_sample_is_taken_once_and_its_repetition_changes_nothing() {
    let service = Service::start().await;
    for consumer in &service.consumers {
        feed_samples(consumer, &service.db.pool).await;
    }
}

#[tokio::test]
async fn the_main_job_makes_one_set_of_notifications() {
    let service = Service::with_people().await;
    for event in journey() {
        assert!(service.deliver(&event).await);
    }
    assert_eq!(
        service.topics(CUSTOMER).await,
        [
            "order_confirmed",
            "delivery_on_the_way",
            "delivery_delivered"
        ]
    );
    assert_eq!(
        service.topics(OWNER).await,
        ["order_placed", "delivery_delivered"]
    );
    assert_eq!(service.topics(DRIVER).await, ["delivery_assigned"]);
    let rows = drain_rows(&service.db.pool).await;
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
    let service = Service::with_people().await;
    let events = journey();
    for event in &events {
        service.deliver(event).await;
    }
    assert_eq!(service.mails().await.len(), 6);
    service.events().await;
    for event in &events {
        assert!(!service.deliver(event).await);
    }
    sqlx::raw_sql("truncate bus.reached")
        .execute(&service.db.pool)
        .await
        .unwrap();
    sqlx::raw_sql("update orders set confirmed = false")
        .execute(&service.db.pool)
        .await
        .unwrap();
    for event in &events {
        assert!(service.deliver(event).await);
    }
    assert_eq!(service.mails().await.len(), 6);
    assert!(service.events().await.is_empty());
    assert_eq!(service.list(CUSTOMER).await.len(), 3);
}

#[tokio::test]
async fn a_replay_fills_the_lists_and_sends_nothing() {
    let service = Service::with_people().await;
    for event in journey() {
        assert!(service.feed_as(&event, Some("replay-1")).await);
    }
    assert_eq!(service.topics(CUSTOMER).await.len(), 3);
    assert!(service.mails().await.is_empty());
    let rows = drain_rows(&service.db.pool).await;
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row.audience.is_empty()));
}

#[tokio::test]
async fn old_news_is_listed_by_its_own_time_and_not_mailed() {
    let service = Service::with_people().await;
    service.clock.advance(Duration::hours(7));
    service.deliver(&journey()[0]).await;
    let list = service.list(OWNER).await;
    assert_eq!(list[0]["timestamp"], "2026-11-21T09:00:00Z");
    assert!(service.mails().await.is_empty());
}

#[tokio::test]
async fn a_second_confirmation_is_news_only_after_the_first_was_taken_back() {
    let service = Service::with_people().await;
    service.deliver(&event("tiffin.order.placed.v1", 1)).await;
    service
        .deliver(&event("tiffin.order.confirmed.v1", 2))
        .await;
    service
        .deliver(&event("tiffin.order.confirmed.v1", 3))
        .await;
    assert_eq!(service.topics(CUSTOMER).await, ["order_confirmed"]);
    let mut reopened = event("tiffin.order.reopened.v1", 4);
    reopened.data["to"] = json!("pending");
    service.deliver(&reopened).await;
    service
        .deliver(&event("tiffin.order.confirmed.v1", 5))
        .await;
    assert_eq!(
        service.topics(CUSTOMER).await,
        ["order_confirmed", "order_confirmed"]
    );
}

#[tokio::test]
async fn all_three_are_notified_of_a_cancelled_order() {
    let service = Service::with_people().await;
    service
        .deliver(&event("tiffin.order.cancelled.v1", 1))
        .await;
    for user in [CUSTOMER, OWNER, DRIVER] {
        assert_eq!(service.topics(user).await, ["order_cancelled"]);
    }
    assert_eq!(service.mails().await.len(), 3);
}

#[tokio::test]
async fn what_is_known_of_others_can_be_rebuilt_and_nothing_is_sent_again() {
    let service = Service::start().await;
    let history = History::new(
        tiffin_notification::NAME,
        &service.db.pool,
        &service.consumers,
    )
    .await;
    for event in histories() {
        history.deliver(&event).await;
    }
    assert!(!drain_rows(&service.db.pool).await.is_empty());
    history.rebuild_all().await;
    assert!(drain_rows(&service.db.pool).await.is_empty());
}
