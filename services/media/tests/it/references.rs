#![expect(
    clippy::unwrap_used,
    reason = "a failure in here is the failure of the test that called"
)]

use tiffin_bus::Received;
use tiffin_events::{
    Clock, Envelope, Role, UserId,
    user::{UserEvent, UserProfileV1, UserRefV1},
};
use tiffin_media::{NAME, consumers, sweep};
use tiffin_testkit::{History, feed_samples, histories};
use time::Duration;

use crate::fixture::{Fixture, OTHER, OWNER, jpeg, public};

#[tokio::test]
async fn every_sample_fed_twice_changes_things_once() {
    let fixture = Fixture::new().await;
    for consumer in consumers(&fixture.state) {
        feed_samples(&consumer, &fixture.pool).await;
    }
}

#[tokio::test]
async fn references_can_be_rebuilt() {
    let fixture = Fixture::new().await;
    let history = History::new(NAME, &fixture.pool, &consumers(&fixture.state)).await;
    for event in histories() {
        history.deliver(&event).await;
    }
    history.rebuild_all().await;
}

#[tokio::test]
async fn tables_that_a_rebuild_replaced_forget_who_closes_their_account() {
    let fixture = Fixture::new().await;
    let history = History::new(NAME, &fixture.pool, &consumers(&fixture.state)).await;
    for user in [OWNER, OTHER] {
        let image = format!("face-of-{}.jpg", user.0);
        history
            .deliver(&envelope(user, 1, &profile(user, &image)))
            .await;
    }
    history.rebuild("media_USERS").await;
    let kept = async || -> Vec<String> {
        sqlx::query_scalar("select name from replaced.uses order by 1")
            .fetch_all(&fixture.pool)
            .await
            .unwrap()
    };
    assert_eq!(kept().await.len(), 2);
    let gone = UserEvent::Deleted(UserRefV1 {
        user_id: OWNER,
        role: Role::Customer,
    });
    history.deliver(&envelope(OWNER, 2, &gone)).await;
    assert_eq!(kept().await, [format!("face-of-{}.jpg", OTHER.0)]);

    // A migration since then: what can't forget goes as a whole.
    sqlx::raw_sql("alter table replaced.uses rename column name to file")
        .execute(&fixture.pool)
        .await
        .unwrap();
    let gone = UserEvent::Deleted(UserRefV1 {
        user_id: OTHER,
        role: Role::Customer,
    });
    history.deliver(&envelope(OTHER, 2, &gone)).await;
    let is_there: bool = sqlx::query_scalar("select to_regclass('replaced.uses') is not null")
        .fetch_one(&fixture.pool)
        .await
        .unwrap();
    assert!(!is_there);
}

#[tokio::test]
async fn a_picture_without_references_for_a_day_is_removed() {
    let fixture = Fixture::new().await;
    for name in ["used.jpg", "left.jpg", "unused.jpg"] {
        fixture
            .upload_with_anonymous_key(name, jpeg(200, 200))
            .await;
    }
    fixture
        .get(&(public("unused.jpg") + "?width=64"), &[])
        .await;
    deliver_event(&fixture, OWNER, 1, profile(OWNER, "used.jpg")).await;
    deliver_event(&fixture, OTHER, 1, profile(OTHER, "left.jpg")).await;
    // A picture may be referred to before it is uploaded.
    deliver_event(&fixture, OTHER, 2, profile(OTHER, "late.jpg")).await;
    fixture.upload(OTHER, "late.jpg", jpeg(8, 8)).await;

    fixture.clock.advance(Duration::hours(23));
    assert_eq!(sweep(&fixture.state).await.unwrap(), 0);
    fixture.clock.advance(Duration::hours(1));
    assert_eq!(sweep(&fixture.state).await.unwrap(), 2);
    assert_eq!(shown(&fixture).await, ["used.jpg", "late.jpg"]);
    assert_eq!(fixture.files(), 2);

    // The day begins when the last reference ends.
    let gone = UserRefV1 {
        user_id: OWNER,
        role: Role::Customer,
    };
    deliver_event(&fixture, OWNER, 2, UserEvent::Deleted(gone)).await;
    assert_eq!(sweep(&fixture.state).await.unwrap(), 0);
    fixture.clock.advance(Duration::DAY);
    assert_eq!(sweep(&fixture.state).await.unwrap(), 1);
    assert_eq!(shown(&fixture).await, ["late.jpg"]);
}

async fn shown(fixture: &Fixture) -> Vec<&'static str> {
    let mut shown = Vec::new();
    for name in ["used.jpg", "left.jpg", "unused.jpg", "late.jpg"] {
        if fixture.get(&public(name), &[]).await.status() == 200 {
            shown.push(name);
        }
    }
    shown
}

fn profile(user: UserId, image: &str) -> UserEvent {
    UserEvent::Updated(UserProfileV1 {
        user_id: user,
        email: "owner@example.com".to_owned(),
        role: Role::Customer,
        first_name: "Nimal".to_owned(),
        last_name: "Perera".to_owned(),
        phone: "0771234567".to_owned(),
        address: "2 Galle Road".to_owned(),
        image: Some(format!("https://food.example{}", public(image))),
        lat: None,
        lng: None,
        verified: true,
    })
}

/// An event of the user service about an account, with this `sequence`.
async fn deliver_event(fixture: &Fixture, user: UserId, sequence: i64, event: UserEvent) {
    let envelope = envelope(user, sequence, &event);
    let received = Received::new(&envelope, 1).unwrap();
    let users = &consumers(&fixture.state)[0];
    assert!(users.deliver(&received).await.unwrap());
}

fn envelope(user: UserId, sequence: i64, event: &UserEvent) -> Envelope {
    let clock = Clock::system();
    Envelope::new(&clock, user.0, sequence, user.to_string(), event).unwrap()
}
