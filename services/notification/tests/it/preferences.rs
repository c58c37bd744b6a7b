use serde_json::{Value, json};
use tiffin_events::Role;
use tiffin_testkit::token;

use crate::fixture::{CUSTOMER, DRIVER, Fixture, OWNER, event, journey};

const PATH: &str = "/api/v1/notification/preferences";

async fn set(fixture: &Fixture, wishes: &Value, status: u16) -> Value {
    let token = token(&fixture.clock, CUSTOMER, Role::Customer).sign();
    let call = fixture.app.put(PATH).token(&token).json(wishes);
    call.await.expect(status)
}

async fn shown(fixture: &Fixture) -> Value {
    let token = token(&fixture.clock, CUSTOMER, Role::Customer).sign();
    fixture.app.get(PATH).token(&token).await.expect(200)
}

#[tokio::test]
async fn everything_is_on_by_default_and_a_channel_that_is_left_out_stays() {
    let fixture = Fixture::start().await;
    let all = json!({"mail": true, "push": true, "inApp": true});
    assert_eq!(shown(&fixture).await, all);
    let changed = set(&fixture, &json!({"mail": false}), 200).await;
    assert_eq!(changed, json!({"mail": false, "push": true, "inApp": true}));
    let changed = set(&fixture, &json!({"inApp": false}), 200).await;
    assert_eq!(
        changed,
        json!({"mail": false, "push": true, "inApp": false})
    );
    assert_eq!(set(&fixture, &json!({}), 200).await, changed);
    assert_eq!(shown(&fixture).await, changed);
    for wrong in [json!({"mail": "no"}), json!({"push": 1}), json!([])] {
        set(&fixture, &wrong, 422).await;
    }
}

#[tokio::test]
async fn who_wants_no_mail_gets_none_and_the_others_do() {
    let fixture = Fixture::with_accounts().await;
    set(&fixture, &json!({"mail": false}), 200).await;
    for event in journey() {
        fixture.deliver(&event).await;
    }
    let mails = fixture.mails().await;
    assert!(mails.iter().all(|mail| !mail.contains("kamala@")));
    assert!(mails.iter().any(|mail| mail.contains("sunil@")));
    assert_eq!(fixture.list(CUSTOMER).await.len(), 3);
}

#[tokio::test]
async fn who_wants_no_list_sees_none_and_is_mailed_all_the_same() {
    let fixture = Fixture::with_accounts().await;
    set(&fixture, &json!({"inApp": false}), 200).await;
    for event in &journey()[..2] {
        fixture.deliver(event).await;
    }
    assert!(fixture.list(CUSTOMER).await.is_empty());
    assert_eq!(fixture.list(OWNER).await.len(), 1);
    let mails = fixture.mails().await;
    assert!(mails.iter().any(|mail| mail.contains("kamala@")));
    let notified: Vec<Vec<uuid::Uuid>> =
        sqlx::query_scalar("select audience from bus.outbox where subject like '%.created'")
            .fetch_all(&fixture.db.pool)
            .await
            .unwrap();
    assert_eq!(notified, [vec![OWNER.0], vec![]]);
}

#[tokio::test]
async fn an_account_that_goes_leaves_no_preferences() {
    let fixture = Fixture::with_accounts().await;
    set(&fixture, &json!({"mail": false}), 200).await;
    fixture.user_event("deleted", CUSTOMER, 2).await;
    let kept = sqlx::query_scalar::<_, i64>("select count(*) from preferences");
    assert_eq!(kept.fetch_one(&fixture.db.pool).await.unwrap(), 0);
}

#[tokio::test]
async fn unread_counts_what_the_list_shows_and_goes_to_nothing_with_one_call() {
    let fixture = Fixture::with_accounts().await;
    for event in journey() {
        fixture.deliver(&event).await;
    }
    fixture
        .deliver(&event("tiffin.order.cancelled.v1", 5))
        .await;
    let unread = async |user| {
        let token = token(&fixture.clock, user, Role::Customer).sign();
        let call = fixture.app.get("/api/v1/notification/unread").token(&token);
        call.await.expect(200)["unread"].as_i64().unwrap()
    };
    assert_eq!((unread(CUSTOMER).await, unread(DRIVER).await), (4, 2));
    let token = token(&fixture.clock, CUSTOMER, Role::Customer).sign();
    let call = || fixture.app.put("/api/v1/notification/read").token(&token);
    let read = call().await.expect(200);
    assert_eq!(read, json!({"message": "Notifications read", "read": 4}));
    assert_eq!(call().await.expect(200)["read"], 0);
    assert_eq!((unread(CUSTOMER).await, unread(DRIVER).await), (0, 2));
    assert!(
        fixture
            .list(CUSTOMER)
            .await
            .iter()
            .all(|one| one["read"] == true)
    );
    fixture
        .app
        .get("/api/v1/notification/unread")
        .await
        .expect(401);
}
