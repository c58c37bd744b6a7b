use tiffin_events::{Role, UserId};
use tiffin_notification::send_due;
use tiffin_testkit::drain_outbox;
use time::Duration;

use crate::fixture::{CUSTOMER, Fixture, OWNER, event, journey};

#[tokio::test]
async fn each_reader_gets_a_mail_that_greets_them_and_names_the_order() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    fixture
        .deliver(&event("tiffin.order.confirmed.v1", 2))
        .await;
    fixture.events().await;
    let mails = fixture.mails().await;
    assert_eq!(mails.len(), 2);
    let to_customer = mails
        .iter()
        .find(|mail| mail.contains("To: kamala@tiffin.local"))
        .unwrap();
    for part in [
        "Subject: Confirmed: ORD-7K3M9QX2",
        "Hello Kamala,",
        "ORD-7K3M9QX2 is confirmed",
        "https://tiffin.example/profile",
        "Content-Type: text/plain",
        "Content-Type: text/html",
    ] {
        assert!(to_customer.contains(part), "{part}: {to_customer}");
    }
    let to_owner = mails
        .iter()
        .find(|mail| mail.contains("To: sunil@tiffin.local"))
        .unwrap();
    assert!(
        to_owner.contains("https://tiffin.example/restaurantC/booking"),
        "{to_owner}"
    );
    assert_eq!(fixture.event_names().await, ["sent", "sent"]);
    assert_eq!(send_due(&fixture.state).await.unwrap(), 0);
}

#[tokio::test]
async fn a_mail_that_has_left_names_the_event_that_it_tells_of() {
    let fixture = Fixture::with_accounts().await;
    let placed = event("tiffin.order.placed.v1", 1);
    fixture.deliver(&placed).await;
    assert_eq!(fixture.mails().await.len(), 1);
    let events = drain_outbox(&fixture.db.pool).await;
    let causes: Vec<_> = events
        .iter()
        .map(|event| (event.kind.as_str(), event.causationid, event.correlationid))
        .collect();
    let (cause, order) = (Some(placed.id), Some(placed.subject));
    assert_eq!(
        causes,
        [
            ("tiffin.notification.created.v1", cause, order),
            ("tiffin.notification.sent.v1", cause, order)
        ]
    );
}

#[tokio::test]
async fn a_reader_who_is_not_known_yet_is_waited_for() {
    let fixture = Fixture::start().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    assert!(fixture.mails().await.is_empty());
    fixture.register(OWNER, "Sunil", Role::Restaurant).await;
    assert!(fixture.mails().await.is_empty());
    fixture.clock.advance(Duration::seconds(1));
    assert_eq!(fixture.mails().await.len(), 1);
    assert_eq!(fixture.event_names().await, ["created", "sent"]);
}

#[tokio::test]
async fn the_blocked_and_the_gone_get_no_mail() {
    let fixture = Fixture::with_accounts().await;
    fixture.user_event("blocked", OWNER, 2).await;
    fixture.user_event("deleted", CUSTOMER, 2).await;
    for event in &journey()[..2] {
        fixture.deliver(event).await;
    }
    assert!(fixture.mails().await.is_empty());
    let mut failed: Vec<_> = fixture
        .events()
        .await
        .into_iter()
        .filter(|(name, _)| name == "failed")
        .map(|(_, data)| data["reason"].as_str().unwrap().to_owned())
        .collect();
    failed.sort();
    assert_eq!(failed, ["The account is blocked.", "The account is gone."]);
    let known: (String, String) =
        sqlx::query_as("select email, first_name from people where id = $1")
            .bind(CUSTOMER.0)
            .fetch_one(&fixture.db.pool)
            .await
            .unwrap();
    assert_eq!(known, (String::new(), String::new()));
}

#[tokio::test]
async fn a_closed_account_leaves_no_text_and_others_keep_theirs() {
    let fixture = Fixture::with_accounts().await;
    for event in &journey()[..2] {
        fixture.deliver(event).await;
    }
    let texts = async |user: UserId| -> Vec<String> {
        sqlx::query_scalar("select text from notifications where user_id = $1")
            .bind(user.0)
            .fetch_all(&fixture.db.pool)
            .await
            .unwrap()
    };
    let (customers, owners) = (texts(CUSTOMER).await, texts(OWNER).await);
    assert!(!customers.is_empty() && !customers.contains(&String::new()));
    fixture.user_event("deleted", CUSTOMER, 2).await;
    assert!(texts(CUSTOMER).await.iter().all(String::is_empty));
    assert_eq!(texts(OWNER).await, owners);
}

#[tokio::test]
async fn a_server_that_is_away_is_tried_again_and_given_up_after_a_while() {
    // A port that was free a moment ago: no server listens there.
    let port = std::net::TcpListener::bind(("127.0.0.1", 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let url = format!("smtp://127.0.0.1:{port}");
    let fixture = Fixture::start_with(&[("SMTP_URL", &url)]).await;
    fixture.register(OWNER, "Sunil", Role::Restaurant).await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    let mut tries = 0;
    for pause in [0, 1, 5, 30, 120, 600, 3600] {
        assert_eq!(
            fixture
                .events()
                .await
                .iter()
                .filter(|(name, _)| name == "failed")
                .count(),
            0
        );
        fixture.clock.advance(Duration::seconds(pause));
        send_due(&fixture.state).await.unwrap();
        tries += 1;
    }
    assert_eq!(tries, 7);
    let events = fixture.events().await;
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].1["reason"], "The mail server did not take it.");
    assert!(!events[0].1.to_string().contains('@'));
}

#[tokio::test]
async fn the_worker_sends_without_being_asked() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    assert_eq!(fixture.work_until_sent(1).await.len(), 1);
    assert_eq!(fixture.event_names().await, ["created", "sent"]);
}
