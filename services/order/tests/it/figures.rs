use serde_json::{Value, json};
use tiffin_chassis::Env;
use tiffin_events::{
    Clock, DeliveryId, Money, PaymentId, RefundId, RestaurantId, Role, UserId,
    delivery::DeliveryEvent,
    payment::{PaymentDeclinedV1, PaymentEvent, PaymentRefV1, PaymentRefundedV1},
};
use time::{Duration, OffsetDateTime, macros::datetime};

use crate::fixture::{Fixture, created, issued, refunded};

/// Half past midnight of 22 November in Colombo, still the 21st in Greenwich.
async fn fixture() -> Fixture {
    Fixture::with_clock(Clock::manual(datetime!(2026-11-21 19:00 UTC))).await
}

async fn figures(fixture: &Fixture, query: &str, token: &str) -> Value {
    let call = fixture.app.get(&format!("/api/v1/orders/figures?{query}"));
    call.token(token).await.expect(200)
}

#[tokio::test]
async fn orders_are_added_up_by_day_hour_and_dish() {
    let fixture = fixture().await;
    fixture.checkout(&fixture.cart()).await.expect(201);
    let cancelled = fixture.order().await;
    let cancel = format!(
        "/api/v1/orders/cancel/{}",
        cancelled["orderId"].as_str().unwrap()
    );
    fixture
        .app
        .post(&cancel)
        .token(&fixture.customer())
        .await
        .expect(200);
    fixture.clock.advance(Duration::hours(30));
    fixture.order().await;
    for (token, query) in [
        (fixture.owner(), "from=2026-11-22&to=2026-11-23".to_owned()),
        (
            fixture.owner(),
            format!("from=2026-11-22&restaurantId={}", fixture.restaurant),
        ),
        (fixture.admin(), "from=2026-11-22".to_owned()),
    ] {
        let figures = figures(&fixture, &query, &token).await;
        assert_eq!(
            (
                &figures["orders"],
                &figures["revenue"],
                &figures["unpaid"],
                &figures["cancelled"]
            ),
            (&json!(3), &json!(0), &json!(2970.5), &json!(1)),
            "{query}"
        );
        assert_eq!(
            figures["days"],
            json!([
                { "date": "2026-11-22", "orders": 2, "revenue": 0, "unpaid": 2020.5 },
                { "date": "2026-11-23", "orders": 1, "revenue": 0, "unpaid": 950 },
            ])
        );
        let hours = figures["hours"].as_array().unwrap();
        assert_eq!(hours.len(), 24);
        assert_eq!(
            hours[0],
            json!({ "hour": 0, "orders": 2, "revenue": 0, "unpaid": 2020.5 })
        );
        assert_eq!(
            hours[6],
            json!({ "hour": 6, "orders": 1, "revenue": 0, "unpaid": 950 })
        );
        assert_eq!(
            hours[12],
            json!({ "hour": 12, "orders": 0, "revenue": 0, "unpaid": 0 })
        );
        assert_eq!(
            figures["bestItems"],
            json!([
                { "itemId": fixture.kottu, "name": "Chicken kottu", "image": "/images/dish.webp", "orders": 2, "quantity": 3, "revenue": 0, "unpaid": 2850 },
                { "itemId": fixture.hopper, "name": "Egg hopper", "image": "/images/dish.webp", "orders": 1, "quantity": 1, "revenue": 0, "unpaid": 120.5 },
            ])
        );
    }
    let other_day = figures(&fixture, "from=2026-11-23&to=2026-11-23", &fixture.owner()).await;
    assert_eq!(
        (&other_day["orders"], &other_day["cancelled"]),
        (&json!(1), &json!(0))
    );
}

/// Places an order at each of the moments, which are in order. Its clocks are those of `zone`.
async fn orders_at(zone: &str, moments: &[OffsetDateTime]) -> Fixture {
    let env = Env::from_pairs([("TIFFIN_TIME_ZONE", zone)]);
    let fixture = Fixture::with_env(Clock::manual(moments[0]), &env).await;
    for moment in moments {
        fixture.clock.advance(*moment - fixture.clock.now());
        fixture.order().await;
    }
    fixture
}

/// The orders of a day, and those of its hours that have some.
async fn orders_of(fixture: &Fixture, day: &str) -> (i64, Vec<(i64, i64)>) {
    let figures = figures(fixture, &format!("from={day}&to={day}"), &fixture.owner()).await;
    let hours = figures["hours"].as_array().unwrap().iter();
    let hours = hours.map(|it| (it["hour"].as_i64().unwrap(), it["orders"].as_i64().unwrap()));
    let days = figures["days"].as_array().unwrap();
    assert_eq!((days.len(), &days[0]["orders"]), (1, &figures["orders"]));
    let orders = figures["orders"].as_i64().unwrap();
    (orders, hours.filter(|(_, orders)| *orders > 0).collect())
}

#[tokio::test]
async fn a_day_of_25_hours_has_each_of_its_orders_once() {
    // In Havana the clocks go back from one to midnight: 3 November 2024 begins at 04:00 UTC and has midnight twice.
    let fixture = orders_at(
        "America/Havana",
        &[
            datetime!(2024-11-03 03:30 UTC),
            datetime!(2024-11-03 04:30 UTC),
            datetime!(2024-11-03 05:30 UTC),
            datetime!(2024-11-04 04:30 UTC),
            datetime!(2024-11-04 05:30 UTC),
        ],
    )
    .await;
    assert_eq!(orders_of(&fixture, "2024-11-02").await, (1, vec![(23, 1)]));
    let long = (3, vec![(0, 2), (23, 1)]);
    assert_eq!(orders_of(&fixture, "2024-11-03").await, long);
    assert_eq!(orders_of(&fixture, "2024-11-04").await, (1, vec![(0, 1)]));
}

#[tokio::test]
async fn a_day_of_23_hours_begins_when_its_clocks_do() {
    // In Santiago the clocks go from midnight to one: 8 September 2024 begins at 04:00 UTC and ends 23 hours later.
    let fixture = orders_at(
        "America/Santiago",
        &[
            datetime!(2024-09-08 03:30 UTC),
            datetime!(2024-09-08 04:30 UTC),
            datetime!(2024-09-09 02:30 UTC),
            datetime!(2024-09-09 03:30 UTC),
        ],
    )
    .await;
    assert_eq!(orders_of(&fixture, "2024-09-07").await, (1, vec![(23, 1)]));
    let short = (2, vec![(1, 1), (23, 1)]);
    assert_eq!(orders_of(&fixture, "2024-09-08").await, short);
    assert_eq!(orders_of(&fixture, "2024-09-09").await, (1, vec![(0, 1)]));
}

/// Revenue and the unpaid: in all, and of each dish.
async fn money(fixture: &Fixture) -> Vec<(Value, Value)> {
    let all = figures(fixture, "", &fixture.owner()).await;
    let pair = |it: &Value| (it["revenue"].clone(), it["unpaid"].clone());
    let mut rows = vec![pair(&all)];
    rows.extend(all["bestItems"].as_array().unwrap().iter().map(pair));
    // However they are added up, the sums are the same to the cent.
    for list in ["days", "hours"] {
        for name in ["revenue", "unpaid"] {
            let parts = all[list].as_array().unwrap().iter();
            let of = |value: &Value| serde_json::from_value(value[name].clone()).unwrap();
            assert_eq!(parts.map(of).sum::<Money>(), of(&all), "{name} {list}");
        }
    }
    rows
}

/// The refunded part of a payment so far.
fn back(cents: i64) -> impl FnOnce(PaymentRefV1) -> PaymentEvent {
    move |payment| {
        PaymentEvent::Refunded(PaymentRefundedV1 {
            payment,
            refunded: Some(Money::from_cents(cents)),
        })
    }
}

#[tokio::test]
async fn revenue_is_what_was_captured_less_refunds_and_the_rest_is_unpaid() {
    let fixture = fixture().await;
    // Two kottu for Rs. 1,900 and a hopper for Rs. 120.50.
    let orders = fixture.checkout(&fixture.cart()).await.expect(201)["orders"].clone();
    let (kottu, hopper) = (&orders[0], &orders[1]);
    let (first, second) = (
        PaymentId(fixture.clock.new_id()),
        PaymentId(fixture.clock.new_id()),
    );
    let pair = |revenue: f64, unpaid: f64| (revenue, unpaid);
    let read = async || -> Vec<(f64, f64)> {
        let rows = money(&fixture).await.into_iter();
        rows.map(|(revenue, unpaid)| (revenue.as_f64().unwrap(), unpaid.as_f64().unwrap()))
            .collect()
    };
    let unpaid = [pair(0.0, 2020.5), pair(0.0, 1900.0), pair(0.0, 120.5)];
    assert_eq!(read().await, unpaid);

    // A declined payment is none.
    let declined = |payment| {
        PaymentEvent::Declined(PaymentDeclinedV1 {
            payment,
            reason: "card_declined".to_owned(),
        })
    };
    let third = PaymentId(fixture.clock.new_id());
    fixture.payment_of(third, kottu, 101_025, declined).await;
    assert_eq!(read().await, unpaid);

    // Half of the checkout is paid: each dish has its part by price.
    let captured = PaymentEvent::Captured;
    fixture.payment_of(first, kottu, 101_025, captured).await;
    assert_eq!(
        read().await,
        [
            pair(1010.25, 1010.25),
            pair(950.0, 950.0),
            pair(60.25, 60.25)
        ]
    );
    fixture.payment_of(second, hopper, 101_025, captured).await;
    assert_eq!(
        read().await,
        [pair(2020.5, 0.0), pair(1900.0, 0.0), pair(120.5, 0.0)]
    );

    // What is refunded of a dish is neither revenue nor unpaid, while its money is on its way and after that.
    let refund = RefundId(fixture.clock.new_id());
    let less = [pair(1990.5, 0.0), pair(1870.0, 0.0), pair(120.5, 0.0)];
    let event = issued(refund, kottu, 3000, 3000);
    fixture.payment_of(second, hopper, 101_025, event).await;
    assert_eq!(read().await, less);
    fixture
        .payment_of(second, hopper, 101_025, back(3000))
        .await;
    assert_eq!(read().await, less);

    // What goes back for a cancelled dish was never the kept dish's.
    let path = format!("/api/v1/orders/cancel/{}", kottu["_id"].as_str().unwrap());
    let call = fixture.app.post(&path).token(&fixture.owner());
    call.json(&json!({ "reason": "sold_out" }))
        .await
        .expect(200);
    assert_eq!(read().await, [pair(120.5, 0.0), pair(120.5, 0.0)]);
    fixture.payment_of(first, kottu, 101_025, refunded).await;
    assert_eq!(read().await, [pair(120.5, 0.0), pair(120.5, 0.0)]);
    fixture
        .payment_of(second, hopper, 101_025, back(88_975))
        .await;
    assert_eq!(read().await, [pair(120.5, 0.0), pair(120.5, 0.0)]);

    // A refund beyond that leaves less than the price.
    fixture
        .payment_of(second, hopper, 101_025, back(91_025))
        .await;
    assert_eq!(read().await, [pair(100.0, 20.5), pair(100.0, 20.5)]);
}

#[tokio::test]
async fn waits_have_mean_and_median() {
    let fixture = fixture().await;
    for (to_confirm, to_deliver) in [(2, 20), (4, 30), (12, 70)] {
        let order = fixture.order().await;
        fixture.clock.advance(Duration::minutes(to_confirm));
        fixture.confirm(&order).await.expect(200);
        let delivery = DeliveryId(fixture.clock.new_id());
        fixture.delivery(delivery, &order, created).await;
        fixture
            .clock
            .advance(Duration::minutes(to_deliver - to_confirm));
        fixture
            .delivery(delivery, &order, DeliveryEvent::Delivered)
            .await;
    }
    fixture.order().await;
    let figures = figures(&fixture, "", &fixture.owner()).await;
    assert_eq!(
        figures["toConfirm"],
        json!({ "orders": 3, "mean": 360, "median": 240 })
    );
    assert_eq!(
        figures["toDeliver"],
        json!({ "orders": 3, "mean": 2400, "median": 1800 })
    );
}

#[tokio::test]
async fn without_orders_there_are_thirty_quiet_days() {
    let fixture = fixture().await;
    let figures = figures(&fixture, "", &fixture.owner()).await;
    assert_eq!(
        (&figures["from"], &figures["to"]),
        (&json!("2026-10-24"), &json!("2026-11-22"))
    );
    assert_eq!(figures["days"].as_array().unwrap().len(), 30);
    assert_eq!(
        (
            &figures["orders"],
            &figures["revenue"],
            &figures["bestItems"]
        ),
        (&json!(0), &json!(0), &json!([]))
    );
    assert_eq!(
        figures["toConfirm"],
        json!({ "orders": 0, "mean": null, "median": null })
    );
}

#[tokio::test]
async fn figures_are_an_owners_own_and_an_administrators() {
    let fixture = fixture().await;
    fixture.order().await;
    let stranger = fixture.token(UserId(fixture.clock.new_id()), Role::Restaurant);
    assert_eq!(figures(&fixture, "", &stranger).await["orders"], 0);
    let theirs = format!("/api/v1/orders/figures?restaurantId={}", fixture.restaurant);
    fixture.app.get(&theirs).token(&stranger).await.problem(403);
    let nowhere = RestaurantId(fixture.clock.new_id());
    let nowhere = format!("/api/v1/orders/figures?restaurantId={nowhere}");
    fixture
        .app
        .get(&nowhere)
        .token(&fixture.owner())
        .await
        .problem(404);
    let path = "/api/v1/orders/figures";
    for role in [Role::Customer, Role::Delivery] {
        let token = fixture.token(fixture.customer, role);
        fixture.app.get(path).token(&token).await.problem(403);
    }
    fixture.app.get(path).await.problem(401);
}

#[tokio::test]
async fn days_that_are_none_are_refused() {
    let fixture = fixture().await;
    for query in [
        "from=yesterday",
        "from=2026-02-30",
        "to=2026-11-22T00:00:00Z",
        "from=2026-11-23&to=2026-11-22",
        "from=2024-01-01&to=2026-01-01",
        "from=-9999-01-01&to=9999-12-31",
        "to=9999-12-31",
        "to=-9999-01-01",
        "to=1999-12-31",
        "restaurantId=7",
    ] {
        let call = fixture.app.get(&format!("/api/v1/orders/figures?{query}"));
        call.token(&fixture.admin()).await.problem(422);
    }
}
