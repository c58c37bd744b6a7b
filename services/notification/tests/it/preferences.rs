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
    let all =
        json!({"mail": true, "push": true, "inApp": true, "secondContact": null, "language": null});
    assert_eq!(shown(&fixture).await, all);
    let changed = set(&fixture, &json!({"mail": false}), 200).await;
    assert_eq!(
        changed,
        json!({"mail": false, "push": true, "inApp": true, "secondContact": null, "language": null})
    );
    let changed = set(&fixture, &json!({"inApp": false}), 200).await;
    assert_eq!(
        changed,
        json!({"mail": false, "push": true, "inApp": false, "secondContact": null, "language": null})
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

/// The owner's second contact, as the owner sets it.
async fn set_contact(fixture: &Fixture, address: &str, status: u16) -> Value {
    let token = token(&fixture.clock, OWNER, Role::Restaurant).sign();
    let body = json!({ "secondContact": address });
    let call = fixture.app.put(PATH).token(&token).json(&body);
    call.await.expect(status)
}

#[tokio::test]
async fn the_last_reminder_is_mailed_to_the_second_contact_too_who_sees_no_list() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    assert_eq!(fixture.mails().await.len(), 1);
    let set = set_contact(&fixture, " chef@tiffin.local ", 200).await;
    assert_eq!(set["secondContact"], "chef@tiffin.local");
    let mut first = event("tiffin.order.reminded.v1", 2);
    first.data["isLast"] = json!(false);
    first.time -= time::Duration::minutes(2);
    fixture.deliver(&first).await;
    assert_eq!(fixture.mails().await.len(), 2, "the owner's alone");
    fixture.deliver(&event("tiffin.order.reminded.v1", 3)).await;
    let mails = fixture.mails().await;
    assert_eq!(mails.len(), 4);
    let to_contact = mails
        .iter()
        .find(|mail| mail.contains("To: chef@tiffin.local"))
        .unwrap();
    assert!(
        to_contact.contains("Hello there,") && !to_contact.contains("Sunil"),
        "{to_contact}"
    );
    assert_eq!(
        fixture.topics(OWNER).await,
        ["order_placed", "order_waiting", "order_waiting_long"]
    );
    for (_, data) in fixture.events().await {
        assert!(!data.to_string().contains('@'), "{data}");
    }
}

#[tokio::test]
async fn a_second_contact_that_was_removed_or_never_set_gets_no_mail() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    set_contact(&fixture, "chef@tiffin.local", 200).await;
    let removed = set_contact(&fixture, "", 200).await;
    assert_eq!(removed["secondContact"], Value::Null);
    fixture.deliver(&event("tiffin.order.reminded.v1", 2)).await;
    let mails = fixture.mails().await;
    assert_eq!(mails.len(), 2);
    assert!(mails.iter().all(|mail| mail.contains("To: sunil@")));
}

#[tokio::test]
async fn a_contact_that_goes_before_its_mail_leaves_gets_none() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    set_contact(&fixture, "chef@tiffin.local", 200).await;
    fixture.deliver(&event("tiffin.order.reminded.v1", 2)).await;
    set_contact(&fixture, "", 200).await;
    assert_eq!(fixture.mails().await.len(), 2);
    let failed: Vec<_> = fixture
        .events()
        .await
        .into_iter()
        .filter(|(name, _)| name == "failed")
        .map(|(_, data)| data["reason"].clone())
        .collect();
    assert_eq!(failed, ["There is no second contact any more."]);
}

#[tokio::test]
async fn only_restaurants_have_a_second_contact_and_only_one_with_an_address() {
    let fixture = Fixture::with_accounts().await;
    for wrong in ["chef", "chef@", "@tiffin.local", "a b@tiffin.local"] {
        set_contact(&fixture, wrong, 422).await;
    }
    set(
        &fixture,
        &json!({"secondContact": "chef@tiffin.local"}),
        403,
    )
    .await;
}

#[tokio::test]
async fn the_customer_is_mailed_why_an_order_was_refused_by_itself() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    let mut refused = event("tiffin.order.cancelled.v1", 2);
    refused.data["answerBy"] = json!("2026-11-21T09:10:00Z");
    refused.data["driverId"] = Value::Null;
    fixture.deliver(&refused).await;
    let mails = fixture.mails().await;
    let said = "was refused: the restaurant did not answer in time.";
    assert!(
        mails
            .iter()
            .any(|mail| mail.contains("To: kamala@") && mail.replace("=\r\n", "").contains(said)),
        "{mails:?}"
    );
    let list = fixture.list(CUSTOMER).await;
    assert_eq!(list[0]["coded"]["code"], "notification.unanswered");
}

#[tokio::test]
async fn a_closed_account_has_no_preferences_and_no_texts() {
    let fixture = Fixture::with_accounts().await;
    fixture.user_event("deleted", OWNER, 2).await;
    let shown = set_contact(&fixture, "chef@tiffin.local", 200).await;
    assert_eq!(shown["secondContact"], Value::Null);
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    let texts =
        sqlx::query_scalar("select text from notifications where user_id = $1").bind(OWNER.0);
    let texts: Vec<String> = texts.fetch_all(&fixture.db.pool).await.unwrap();
    assert_eq!(texts, [""]);
}

#[tokio::test]
async fn mails_come_in_the_language_that_was_chosen() {
    let fixture = Fixture::with_accounts().await;
    let changed = set(&fixture, &json!({"language": "ta"}), 200).await;
    assert_eq!(
        (&changed["language"], &changed["mail"]),
        (&json!("ta"), &json!(true))
    );
    assert_eq!(
        set(&fixture, &json!({"push": false}), 200).await["language"],
        "ta"
    );
    set(&fixture, &json!({"language": "fr"}), 422).await;
    for event in journey() {
        fixture.deliver(&event).await;
    }
    let mails = fixture.mails().await;
    let mine: Vec<_> = mails
        .iter()
        .filter(|mail| mail.contains("kamala@"))
        .collect();
    assert!(!mine.is_empty());
    for mail in mine {
        assert!(
            !mail.contains("Hello ") && !mail.contains("Your order"),
            "{mail}"
        );
    }
    assert!(
        mails.iter().any(|mail| mail.contains("Hello Sunil")),
        "the others' stay as they are"
    );
}
