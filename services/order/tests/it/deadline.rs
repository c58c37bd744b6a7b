//! Deadlines: reminders, the refusal, and the answer that comes at the same moment.

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use tiffin_chassis::Env;
use tiffin_events::Clock;
use tiffin_order::settle_due;
use tiffin_testkit::drain_outbox;
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339, macros::datetime};
use tokio_util::sync::CancellationToken;

use crate::fixture::Fixture;

const OPENING: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);

async fn at_opening() -> Fixture {
    Fixture::with_clock(Clock::manual(OPENING)).await
}

fn minutes_after_opening(minutes: i64) -> Value {
    let at = OPENING + Duration::minutes(minutes);
    json!(at.format(&Rfc3339).unwrap())
}

#[tokio::test]
async fn an_order_says_until_when_it_is_answered_in_its_answer_and_in_its_event() {
    let fixture = at_opening().await;
    let answer = fixture.checkout(&fixture.cart()).await.expect(201);
    for order in answer["orders"].as_array().unwrap() {
        assert_eq!(order["answerBy"], minutes_after_opening(10));
    }
    for event in drain_outbox(&fixture.db.pool).await {
        assert_eq!(event.data["answerBy"], minutes_after_opening(10));
    }
    fixture.answers_within(3).await;
    let order = fixture.order().await;
    assert_eq!(order["answerBy"], minutes_after_opening(3));
    for reader in [fixture.customer(), fixture.owner(), fixture.admin()] {
        let seen = fixture.column("/api/v1/orders", &reader, "answerBy").await;
        // All orders are of one moment, so any may be the first.
        assert!(seen.contains(&minutes_after_opening(3)), "{seen:?}");
    }
}

#[tokio::test]
async fn without_default_minutes_only_restaurants_that_chose_some_have_deadlines() {
    let env = Env::from_pairs([("TIFFIN_ANSWER_MINUTES", "0")]);
    let fixture = Fixture::with_env(Clock::manual(OPENING), &env).await;
    assert_eq!(fixture.order().await["answerBy"], Value::Null);
    fixture.answers_within(5).await;
    let order = fixture.order().await;
    assert_eq!(order["answerBy"], minutes_after_opening(5));
    fixture.clock.advance(Duration::days(1));
    assert_eq!(settle_due(&fixture.state).await.unwrap(), 1);
}

#[tokio::test]
async fn the_restaurant_is_reminded_twice_and_then_the_order_is_refused() {
    let fixture = at_opening().await;
    let order = fixture.order().await;
    let mut kinds = Vec::new();
    for _ in 0..11 {
        settle_due(&fixture.state).await.unwrap();
        for event in drain_outbox(&fixture.db.pool).await {
            assert_eq!(event.actor, "tiffin/order");
            assert_eq!(event.data["answerBy"], minutes_after_opening(10));
            kinds.push((event.kind, event.data["number"].clone()));
        }
        fixture.clock.advance(Duration::minutes(1));
    }
    let reminded = "tiffin.order.reminded.v1".to_owned();
    assert_eq!(
        kinds,
        [
            (reminded.clone(), json!(1)),
            (reminded, json!(2)),
            ("tiffin.order.cancelled.v1".to_owned(), Value::Null),
        ]
    );
    let seen = fixture.only_order().await;
    assert_eq!(seen["status"], "cancelled");
    assert_eq!(
        seen["cancellation"],
        json!({ "by": "deadline", "reason": null, "note": null })
    );
    assert_eq!(seen["answerBy"], Value::Null);
    fixture.confirm(&order).await.problem(409);
}

#[tokio::test]
async fn an_answer_just_before_the_deadline_holds() {
    let fixture = at_opening().await;
    let order = fixture.order().await;
    fixture
        .clock
        .advance(Duration::minutes(10) - Duration::SECOND);
    fixture.confirm(&order).await.expect(200);
    fixture.clock.advance(Duration::hours(1));
    assert_eq!(settle_due(&fixture.state).await.unwrap(), 0);
    let seen = fixture.only_order().await;
    assert_eq!(
        (&seen["status"], &seen["answerBy"]),
        (&json!("confirmed"), &Value::Null)
    );
}

#[tokio::test]
async fn an_order_that_the_owner_takes_back_to_pending_is_not_refused() {
    let fixture = at_opening().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    fixture
        .set_status(&order, &json!({ "status": "pending" }))
        .await
        .expect(200);
    fixture.clock.advance(Duration::hours(1));
    assert_eq!(settle_due(&fixture.state).await.unwrap(), 0);
    assert_eq!(fixture.only_order().await["status"], "pending");
}

/// Many orders reach their deadline while they are confirmed and several processes look for what is due: each order
/// is either confirmed or refused, and has one event that says so.
#[tokio::test]
async fn of_an_answer_and_a_refusal_at_once_one_wins() {
    const ORDERS: usize = 40;
    let fixture = at_opening().await;
    let mut orders = Vec::new();
    for _ in 0..ORDERS {
        orders.push(fixture.order().await);
    }
    fixture.clock.advance(Duration::minutes(10));
    let confirmed = join_all(orders.iter().map(|order| fixture.confirm(order)));
    let looks = join_all((0..3).map(|_| settle_due(&fixture.state)));
    let (answers, looks) = join(confirmed, looks).await;
    let refused: usize = looks.into_iter().map(|look| look.unwrap()).sum();
    let taken = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(taken + refused, ORDERS, "{taken} taken, {refused} refused");
    let kinds = fixture.events().await;
    let count = |kind: &str| kinds.iter().filter(|it| *it == kind).count();
    assert_eq!(count("tiffin.order.confirmed.v1"), taken);
    assert_eq!(count("tiffin.order.cancelled.v1"), refused);
    assert_eq!(kinds.len(), ORDERS);
    for (order, answer) in orders.iter().zip(&answers) {
        let path = format!("/api/v1/orders?q={}", order["orderId"].as_str().unwrap());
        let status = fixture.column(&path, &fixture.owner(), "status").await;
        let expected = if answer.status == 200 {
            "confirmed"
        } else {
            "cancelled"
        };
        assert_eq!(status, [json!(expected)]);
    }
}

/// A process that is killed keeps nothing in memory: the next one finds the order in its row.
#[tokio::test]
async fn the_task_refuses_what_became_due_while_no_process_ran() {
    let fixture = at_opening().await;
    fixture.order().await;
    fixture.clock.advance(Duration::hours(2));
    let shutdown = CancellationToken::new();
    let works = tiffin_order::tasks(&fixture.state, &shutdown).into_iter();
    let works = works.map(|work| work.supervise(shutdown.clone()));
    let work = tokio::spawn(join_all(works));
    for _ in 0..200 {
        if fixture.only_order().await["status"] == "cancelled" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    shutdown.cancel();
    work.await.unwrap();
    assert_eq!(fixture.only_order().await["status"], "cancelled");
    assert_eq!(
        fixture.events().await,
        ["tiffin.order.cancelled.v1"],
        "the missed reminders are left out"
    );
}

#[tokio::test]
async fn one_order_that_fails_holds_up_no_other() {
    let fixture = at_opening().await;
    fixture.order().await;
    fixture.order().await;
    sqlx::raw_sql(
        "update orders set code = 'unreadable' where id = (select min(id::text)::uuid from orders)",
    )
    .execute(&fixture.db.pool)
    .await
    .unwrap();
    fixture.clock.advance(Duration::minutes(10));
    assert_eq!(settle_due(&fixture.state).await.unwrap(), 1);
}

#[tokio::test]
async fn the_customer_learns_how_long_answers_take_once_there_are_some() {
    let fixture = at_opening().await;
    let usual = async || {
        let column = "usualAnswerMinutes";
        let seen = fixture
            .column("/api/v1/orders", &fixture.customer(), column)
            .await;
        seen[0].clone()
    };
    for minutes in [1, 9, 2, 4] {
        let order = fixture.order().await;
        assert_eq!(usual().await, Value::Null);
        fixture.clock.advance(Duration::minutes(minutes));
        fixture.confirm(&order).await.expect(200);
    }
    let order = fixture.order().await;
    assert_eq!(usual().await, Value::Null, "four answers are too few");
    fixture.clock.advance(Duration::minutes(3));
    fixture.confirm(&order).await.expect(200);
    assert_eq!(usual().await, Value::Null, "it is answered");
    fixture.order().await;
    assert_eq!(usual().await, json!(3.0));
    let owners = fixture
        .column("/api/v1/orders", &fixture.owner(), "usualAnswerMinutes")
        .await;
    assert_eq!(owners[0], Value::Null);
}
