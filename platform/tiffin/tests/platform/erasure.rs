//! A customer with a marked name, address, phone and mail orders, and the order is delivered and archived. Once the
//! account is closed, no byte of the marks is left: neither in what services hold in the clear, which the event of the
//! deletion blanks, nor in sealed fields, whose key is destroyed. The data of everybody else is still there.

mod sealed_parts;

use std::{fs, path::Path, time::Duration};

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool};
use tiffin_archive::Archive;
use tiffin_bus::{
    Broker,
    archiver::{self, Window},
};
use tiffin_events::{Clock, Envelope, Stream};

use self::sealed_parts::{assert_sealed, open_all, parts, remaining_keys};
use crate::{
    accounts::{self, Account, PASSWORD},
    canary::places,
    history::operator_client::OperatorClient,
    restaurant_fixture::{self, RestaurantFixture},
    settle::{settle, wait_for},
    stack::{Stack, eventually},
    streams,
};

/// Marks that occur nowhere else: names, address, phones, mail address, a place, own words and a note to the kitchen.
const MARKS: [&str; 10] = [
    "Kanarientje",
    "Vogelsang",
    "Marmaladegasse",
    FIRST_PHONE,
    "773820664",
    "kanarie-mark",
    "6.918273",
    "79.864529",
    "quetzalcoatl",
    "Pistazienallergie",
];
/// The phone of the sign-up, which the customer changes before the order.
const FIRST_PHONE: &str = "774190582";
/// The read models with rows about customers.
const MODELS: [&str; 6] = [
    "delivery_ORDERS",
    "media_USERS",
    "notification_USERS",
    "order_USERS",
    "payment_ORDERS",
    "restaurant_USERS",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_account_leaves_no_mark_and_its_ciphertext_no_key() {
    let test = "erasure::a_closed_account_leaves_no_mark_and_its_ciphertext_no_key";
    let stack = Stack::start(test).await;
    let admin = accounts::admin(&stack, "admin").await;
    let mut fixture = RestaurantFixture::new(&stack, &admin, "").await;
    let other = fixture.customer.clone();
    let others_order = deliver(&stack, &fixture).await;
    let canary = sign_up(&stack).await;
    fixture.customer = canary.clone();
    let order = deliver(&stack, &fixture).await;
    ask(&stack, &canary, &admin).await;
    let client = OperatorClient {
        stack: &stack,
        operator: &admin,
    };
    settle(&stack).await;
    let placed = placed(&stack, &canary).await;
    archive(&stack).await;
    // Its replaced tables and snapshots are erased, too.
    for model in MODELS {
        client.rebuild(model).await;
    }
    spoil(&stack, placed).await;
    settle(&stack).await;
    archive(&stack).await;

    // Before: in the rows that services read and in mails, and sealed everywhere else.
    let before = everything(&stack).await;
    for mark in MARKS {
        let is_kept = |kind: &str| {
            let mut of_kind = before.iter().filter(|(place, _)| place.starts_with(kind));
            of_kind.any(|(_, text)| text.contains(mark))
        };
        // An order service that has heard of the change when the order is placed has the first phone nowhere.
        assert!(is_kept("database ") || mark == FIRST_PHONE, "{mark}");
        for kind in ["stream", "archive", "log", "file"] {
            assert!(!is_kept(kind), "{mark} is in a {kind}");
        }
    }
    let is_in_snapshot = |(place, text): &(String, String)| {
        place == "database delivery, snapshot_delivery_orders.orders" && text.contains(MARKS[2])
    };
    assert!(before.iter().any(is_in_snapshot));
    assert_sealed(&before, &canary.id);
    let sealed = parts(&before, &canary.id);
    assert!(sealed.len() > 4, "{}", sealed.len());
    assert!(!in_data_folder(&stack).is_empty());

    close(&stack, &canary).await;
    vacuum(&stack).await;
    let after = everything(&stack).await;
    let mut found: Vec<String> = Vec::new();
    for (place, text) in &after {
        let marks = MARKS.iter().filter(|mark| text.contains(**mark));
        found.extend(marks.map(|mark| format!("{mark} in {place}")));
    }
    found.extend(in_data_folder(&stack));
    assert!(found.is_empty(), "{}", found.join("\n"));

    let keys = remaining_keys(&stack).await;
    assert!(keys.iter().all(|key| key.person.to_string() != canary.id));
    assert_eq!(open_all(&sealed, &keys), 0);
    let others = parts(&before, &other.id);
    assert_eq!(open_all(&others, &keys), others.len());
    assert!(!others.is_empty());

    // What bookkeeping needs is there, and everybody else's data.
    let shown = stack.get("/api/v1/orders", Some(&fixture.owner)).await;
    let shown = shown.expect(200);
    let find = |code: &str| {
        let mut orders = shown.as_array().unwrap().iter();
        orders.find(|one| one["orderId"] == code).unwrap().clone()
    };
    let theirs = find(&others_order);
    let erased = find(&order);
    assert_eq!(theirs["address"], "12 Galle Road, Colombo 03");
    assert_eq!(erased["address"], "");
    assert_eq!(erased["note"], Value::Null);
    assert_eq!(erased["totalAmount"], theirs["totalAmount"]);
    assert!(after.iter().any(|(_, text)| text.contains(&other.email)));
    for model in MODELS {
        let report = client.verify(model).await;
        assert_eq!(report["equal"], true, "{model}: {report}");
        let snapshot = &report["snapshot"];
        assert!(
            model != "delivery_ORDERS" || snapshot["used"] == true,
            "{snapshot}"
        );
    }
}

/// Opens the marked account.
async fn sign_up(stack: &Stack) -> Account {
    let email = "kanarie-mark@example.com";
    let mut form = accounts::form(email);
    form["firstName"] = json!("Kanarientje");
    form["lastName"] = json!("Vogelsang");
    form["address"] = json!("7 Marmaladegasse");
    form["phone"] = json!("+94774190582");
    form["role"] = json!("customer");
    stack.post("/api/v1/users", None, &form).await.expect(201);
    let unproven = accounts::login(stack, email).await;
    let code = json!({ "otp": accounts::code(stack, &unproven).await });
    let path = "/api/v1/users/verifyOTP";
    let answer = stack.post(path, Some(&unproven), &code).await;
    let account = accounts::signed_in(&answer.expect(200));
    let path = format!("/api/v1/users/update/{}", account.id);
    let change = json!({ "phone": "+94773820664", "lat": 6.918_273, "lng": 79.864_529 });
    stack.put(&path, Some(&account), &change).await.expect(200);
    account
}

/// An order of the fixture's customer that is paid and delivered. Returns its `orderId`.
async fn deliver(stack: &Stack, fixture: &RestaurantFixture) -> String {
    let is_marked = fixture.customer.email.contains("mark");
    let mut cart = fixture.cart();
    if is_marked {
        cart["address"] = json!("7 Marmaladegasse");
        cart["lat"] = json!(6.918_273);
        cart["lng"] = json!(79.864_529);
        cart["orderItem"][0]["note"] = json!("Pistazienallergie");
    }
    let mut placed = Value::Null;
    eventually("the customer orders", async || {
        let path = "/api/v1/orders";
        let request = stack.request(reqwest::Method::POST, path, Some(&fixture.customer));
        let request = request.header("idempotency-key", "the-only-one");
        let answer = crate::stack::send(request.json(&cart)).await;
        placed = answer.body;
        answer.status == 201
    })
    .await;
    let order = placed["orders"][0]["orderId"].as_str().unwrap().to_owned();
    let payment = json!({
        "bookingId": order, "amount": 2501, "paymentType": "Card",
        "cardNumber": "4242 4242 4242 4242", "expiry": "12/34", "cvv": "123",
    });
    eventually("the order is paid", async || {
        let answer = stack.post("/api/payment", Some(&fixture.customer), &payment);
        answer.await.status == 201
    })
    .await;
    fixture.confirm(stack, &order).await;
    let mut delivery = None;
    eventually("the delivery is there", async || {
        let list = stack.get("/api/v1/delivery", Some(&fixture.driver)).await;
        let list = list.expect(200);
        let mut list = list.as_array().unwrap().iter();
        delivery = list
            .find(|one| one["orderId"] == *order)
            .map(restaurant_fixture::id);
        delivery.is_some()
    })
    .await;
    let path = format!("/api/v1/delivery/update/{}", delivery.unwrap());
    for status in ["on the way", "delivered"] {
        let body = json!({ "status": status });
        stack
            .put(&path, Some(&fixture.driver), &body)
            .await
            .expect(200);
    }
    order
}

/// A question in the account's own words.
async fn ask(stack: &Stack, canary: &Account, admin: &Account) {
    let question = json!({ "message": "Do you cook quetzalcoatl?" });
    let asked = stack.post("/api/inquiry", Some(canary), &question).await;
    let id = restaurant_fixture::id(&asked.expect(201)["inquiry"]);
    let answer = json!({ "response": "No." });
    let path = format!("/api/inquiry/{id}");
    stack.put(&path, Some(admin), &answer).await.expect(200);
}

/// The event of the account's order.
async fn placed(stack: &Stack, canary: &Account) -> Envelope {
    let placed = streams::everything(stack).await;
    let mut placed = placed.iter().filter_map(|message| {
        let event: Envelope = serde_json::from_str(&message.body).ok()?;
        let is_canarys = event.sealed.to_string().contains(&canary.id);
        (is_canarys && event.kind == "tiffin.order.placed.v1").then_some(event)
    });
    placed.next_back().unwrap()
}

/// An event with the account's ciphertext that no consumer can handle.
async fn spoil(stack: &Stack, mut event: Envelope) {
    let clock = Clock::system();
    (event.id, event.subject) = (clock.new_id(), clock.new_id());
    let broker = Broker::connect(&stack.nats_url(), "test").await.unwrap();
    let subject = format!("tiffin.order.{}.placed", event.subject);
    let body = serde_json::to_vec(&event).unwrap();
    let sent = broker.jetstream.publish(subject, body.into()).await;
    sent.unwrap().await.unwrap();
    wait_for("the event is a dead letter", async || {
        let all = streams::everything(stack).await;
        let letters = all.iter().filter(|one| one.stream == "DEADLETTERS");
        letters.count() > 2
    })
    .await;
}

/// Moves all that streams have to the archive.
async fn archive(stack: &Stack) {
    let broker = Broker::connect(&stack.nats_url(), "test").await.unwrap();
    let archive = archive_of(stack);
    let window = Window {
        max_age: Duration::ZERO,
        min_segment_bytes: 1,
        ..Window::default()
    };
    for stream in Stream::ALL.into_iter().filter(|one| one.is_archived()) {
        let now = Clock::system().now();
        while archiver::step(&broker, &archive, stream, window, now)
            .await
            .unwrap()
            .is_some()
        {}
    }
    let segments = archive.segments(Stream::Orders).await.unwrap();
    assert!(!segments.is_empty());
}

fn archive_of(stack: &Stack) -> Archive {
    Archive::folder(stack.home().join("archive"))
}

/// All that is kept, and the messages of the archive, whose files are compressed.
async fn everything(stack: &Stack) -> Vec<(String, String)> {
    let mut all = places(stack).await;
    let archive = archive_of(stack);
    for stream in Stream::ALL.into_iter().filter(|one| one.is_archived()) {
        for segment in archive.segments(stream).await.unwrap() {
            for sequence in segment.range() {
                let Some(message) = archive.message(stream, sequence).await.unwrap() else {
                    continue;
                };
                let body = String::from_utf8_lossy(&message.body).into_owned();
                all.push((format!("archive {stream} {}", message.subject), body));
            }
        }
    }
    all
}

/// Closes the account, and waits until every service has forgotten it.
async fn close(stack: &Stack, canary: &Account) {
    let body = json!({ "password": PASSWORD });
    let path = "/api/v1/users/confirm";
    let confirmed = stack.post(path, Some(canary), &body).await.expect(200);
    let confirmed = accounts::signed_in(&confirmed);
    let path = format!("/api/v1/users/{}", canary.id);
    let mut last = String::new();
    eventually("the account is closed", async || {
        let answer = stack.delete(&path, Some(&confirmed)).await;
        last = answer.text;
        answer.status == 200
    })
    .await;
    settle(stack).await;
    let databases = stack.databases();
    let (_, users) = databases.iter().find(|(name, _)| name == "user").unwrap();
    let pool = PgPool::connect(users).await.unwrap();
    wait_for("its past is erased from USERS", async || {
        let left = "select count(*) from erasures where erased_at is null";
        let left: i64 = sqlx::query_scalar(left).fetch_one(&pool).await.unwrap();
        left == 0
    })
    .await;
}

/// Has PostgreSQL give up dead rows, old statistics and old write-ahead log, as it does with time.
async fn vacuum(stack: &Stack) {
    let databases = stack.databases();
    let names = databases
        .iter()
        .map(|(_, url)| url.rsplit_once('/').unwrap().1);
    for name in names.chain(["postgres"]) {
        let url = stack.postgres_url(name);
        let mut connection = PgConnection::connect(&url).await.unwrap();
        for sql in [
            "vacuum (full, analyze)",
            "alter system set wal_recycle = off",
            "select pg_reload_conf()",
            "select pg_switch_wal()",
            "checkpoint",
        ] {
            let sql = sqlx::raw_sql(AssertSqlSafe(sql));
            sql.execute(&mut connection).await.unwrap();
        }
        connection.close().await.unwrap();
    }
}

/// The marks in the files of the databases.
fn in_data_folder(stack: &Stack) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders: Vec<_> = stack.folders().to_vec();
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = fs::read(&path) {
                read += usize::from(path.components().any(|it| it.as_os_str() == "base"));
                found.extend(marks_in(&bytes, &path));
            }
        }
    }
    assert!(read > 100, "{read} files of tables");
    found
}

fn marks_in(bytes: &[u8], path: &Path) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let marks = MARKS.iter().filter(|mark| text.contains(**mark));
    marks
        .map(|mark| format!("{mark} in {}", path.display()))
        .collect()
}
