//! Forecasts without a router: all routes are straight lines.

use serde_json::{Value, json};
use tiffin_events::{
    Envelope, Role,
    order::OrderEvent,
    restaurant::{RestaurantEvent, RestaurantRefV1, RestaurantSlowedV1},
};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::fixture::Fixture;

const ETA_CHANGED: &str = "tiffin.delivery.eta_changed.v1";

/// The reasons of the ranges among these events.
fn reasons(events: &[Envelope]) -> Vec<&str> {
    let ranges = events.iter().filter(|event| event.kind == ETA_CHANGED);
    ranges
        .map(|event| event.data["reason"].as_str().unwrap())
        .collect()
}

fn time(value: &Value) -> OffsetDateTime {
    OffsetDateTime::parse(value.as_str().unwrap(), &Rfc3339).unwrap()
}

async fn assigned() -> Fixture {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    fixture
}

#[tokio::test]
async fn a_new_delivery_gets_a_range_and_keeps_it_while_nothing_moves() {
    let fixture = assigned().await;
    let events = fixture.forecast().await;
    assert_eq!(reasons(&events), ["assigned"]);
    let range = &events.last().unwrap().data;
    assert_eq!(range["basis"], "straight");
    assert_eq!(range["status"], "picked up");
    assert!(range["rideMetres"].as_f64().unwrap() > 1_400.0, "{range}");
    let delivery = fixture.list(&fixture.customer()).await[0].clone();
    assert_eq!(delivery["earliestArrival"], range["earliest"]);
    assert_eq!(delivery["latestArrival"], range["latest"]);
    let (earliest, expected) = (time(&range["earliest"]), time(&range["expected"]));
    assert!(earliest < expected && expected < time(&range["latest"]));
    assert!(earliest > fixture.clock.now());

    assert_eq!(reasons(&fixture.forecast().await), [""; 0]);
}

#[tokio::test]
async fn setting_out_and_another_driver_make_another_range() {
    let fixture = assigned().await;
    fixture.forecast().await;
    let delivery = fixture.list(&fixture.driver()).await[0].clone();
    fixture.put_driver(6.8935, 79.8525).await;
    fixture
        .set_status(&delivery, "on the way")
        .await
        .expect(200);
    let events = fixture.forecast().await;
    assert_eq!(reasons(&events), ["set_out"]);
    let latest = time(&events.last().unwrap().data["latest"]);
    assert!(
        latest < fixture.clock.now() + Duration::minutes(20),
        "{latest}"
    );

    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    fixture.forecast().await;
    fixture
        .confirmed(
            &order,
            fixture.other_driver,
            fixture.half_an_hour_from_now(),
        )
        .await;
    assert_eq!(reasons(&fixture.forecast().await), ["reassigned"]);
}

#[tokio::test]
async fn a_driver_who_goes_elsewhere_moves_the_range_both_ways() {
    let fixture = assigned().await;
    let delivery = fixture.list(&fixture.driver()).await[0].clone();
    fixture.put_driver(6.8935, 79.8525).await;
    fixture
        .set_status(&delivery, "on the way")
        .await
        .expect(200);
    fixture.forecast().await;
    fixture.put_driver(6.7000, 79.8525).await;
    assert_eq!(reasons(&fixture.forecast().await), ["later"]);
    fixture.put_driver(6.9060, 79.8522).await;
    assert_eq!(reasons(&fixture.forecast().await), ["earlier"]);
}

#[tokio::test]
async fn the_end_of_a_drivers_first_range_is_promised() {
    let fixture = assigned().await;
    let promised = async || {
        let delivery = fixture.list(&fixture.customer()).await[0].clone();
        (delivery["promisedTime"].clone(), delivery)
    };
    let (first, delivery) = promised().await;
    assert_eq!(first, delivery["estimatedTime"]);
    fixture.put_driver(6.8935, 79.8525).await;
    fixture
        .set_status(&delivery, "on the way")
        .await
        .expect(200);
    let range = fixture.forecast().await.last().unwrap().data.clone();
    let (first, _) = promised().await;
    assert_eq!(first, range["latest"]);

    fixture.put_driver(6.7000, 79.8525).await;
    assert_eq!(reasons(&fixture.forecast().await), ["later"]);
    let (second, delivery) = promised().await;
    assert_eq!(second, first);
    assert_ne!(second, delivery["latestArrival"]);
}

#[tokio::test]
async fn a_position_in_another_part_of_the_country_moves_nothing() {
    let fixture = assigned().await;
    fixture.put_driver(6.8935, 79.8525).await;
    fixture.forecast().await;
    let before = fixture.list(&fixture.customer()).await[0].clone();
    fixture.put_driver(9.6615, 80.0255).await;
    assert_eq!(reasons(&fixture.forecast().await), [""; 0]);
    let path = format!("/api/v1/delivery/route/{}", before["_id"].as_str().unwrap());
    let answer = fixture.app.get(&path).token(&fixture.customer());
    assert_eq!(answer.await.expect(200)["toRestaurant"], Value::Null);
}

#[tokio::test]
async fn the_doors_before_count() {
    let fixture = assigned().await;
    fixture.put_driver(6.8935, 79.8525).await;
    let first = fixture.list(&fixture.driver()).await[0].clone();
    fixture.set_status(&first, "on the way").await.expect(200);
    // The first order goes to another place, far away.
    sqlx::query("update orders set dest_lat = 6.80")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    fixture.put_driver(6.8935, 79.8525).await;
    fixture.forecast().await;
    let deliveries = fixture.list(&fixture.driver()).await;
    let latest = |index: usize| time(&deliveries[index]["latestArrival"]);
    assert!(
        latest(0) > latest(1),
        "the second one comes after the first"
    );
}

#[tokio::test]
async fn what_is_over_or_has_no_destination_gets_no_range() {
    let fixture = assigned().await;
    let delivery = fixture.list(&fixture.driver()).await[0].clone();
    fixture.set_status(&delivery, "delivered").await.expect(200);
    assert_eq!(reasons(&fixture.forecast().await), [""; 0]);

    let order = fixture.placed().await;
    sqlx::query("update orders set dest_lat = null, dest_lng = null")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    assert_eq!(reasons(&fixture.forecast().await), [""; 0]);
}

#[tokio::test]
async fn two_processes_forecast_each_delivery_once() {
    let fixture = assigned().await;
    let both = tokio::join!(
        tiffin_delivery::forecast_due(&fixture.state),
        tiffin_delivery::forecast_due(&fixture.state)
    );
    assert!(both.0.is_ok() && both.1.is_ok());
    let events = fixture.events().await;
    let ranges = events.iter().filter(|kind| *kind == ETA_CHANGED);
    assert_eq!(ranges.count(), 1);
}

#[tokio::test]
async fn a_shown_range_is_scored_by_the_arrival() {
    let fixture = assigned().await;
    fixture.forecast().await;
    let accuracy = async |token: &str| {
        let answer = fixture.app.get("/api/v1/delivery/accuracy").token(token);
        answer.await.expect(200)
    };
    let none = json!({ "all": null, "byRestaurant": [], "byHour": [], "byLead": [] });
    assert_eq!(accuracy(&fixture.owner()).await, none, "it is under way");

    // Delivered at once, long before the range.
    let delivery = fixture.list(&fixture.driver()).await[0].clone();
    fixture.set_status(&delivery, "delivered").await.expect(200);
    fixture.forecast().await;
    let answer = accuracy(&fixture.owner()).await;
    let all = &answer["all"];
    assert_eq!(
        (&all["shown"], &all["held"], &all["early"], &all["late"]),
        (&json!(1), &json!(0), &json!(1), &json!(0))
    );
    assert_eq!(answer["byRestaurant"][0]["restaurantName"], "Kottu Corner");
    assert_eq!(answer["byHour"].as_array().unwrap().len(), 1);
    assert_eq!(answer["byLead"][0]["leadMinutes"], 20);
    assert_eq!(accuracy(&fixture.admin()).await, answer);

    let stranger = tiffin_events::UserId(fixture.clock.new_id());
    let stranger = fixture.token(stranger, Role::Restaurant);
    assert_eq!(accuracy(&stranger).await, none, "another owner's");
    for (token, status) in [(fixture.customer(), 403), (fixture.driver(), 403)] {
        let answer = fixture.app.get("/api/v1/delivery/accuracy").token(&token);
        assert_eq!(answer.await.status, status);
    }
    let anonymous = fixture.app.get("/api/v1/delivery/accuracy").await;
    assert_eq!(anonymous.status, 401);
}

#[tokio::test]
async fn a_cancelled_delivery_is_not_scored() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    fixture.forecast().await;
    let trips = async || {
        let count = sqlx::query_scalar::<_, i64>(
            "select (select count(*) from trips) + (select count(*) from shown_ranges)",
        );
        count.fetch_one(&fixture.db.pool).await.unwrap()
    };
    assert_eq!(trips().await, 2);
    let cancelled = OrderEvent::Cancelled(order.clone().into());
    fixture.deliver_event(order.order_id.0, &cancelled).await;
    fixture.forecast().await;
    assert_eq!(trips().await, 0);
}

#[tokio::test]
async fn estimates_before_ordering_are_by_restaurant() {
    let fixture = Fixture::new().await;
    let path = |place: &str, restaurants: &str| {
        format!("/api/v1/delivery/estimates?{place}&restaurants={restaurants}")
    };
    let known = fixture.restaurant.to_string();
    let unknown = fixture.clock.new_id().to_string();
    let near = path("lat=6.9061&lng=79.8522", &format!("{known},{unknown}"));
    let near = fixture.app.get(&near).await.expect(200);
    assert_eq!(
        near.as_array().unwrap().len(),
        1,
        "the unknown one is left out"
    );
    assert_eq!(near[0]["restaurantId"], known);
    assert_eq!(near[0]["basis"], "straight");
    let minutes = |answer: &Value, field: &str| answer[0][field].as_i64().unwrap();
    let (earliest, latest) = (
        minutes(&near, "earliestMinutes"),
        minutes(&near, "latestMinutes"),
    );
    assert!(5 < earliest && earliest < latest && latest < 60, "{near}");
    let far = fixture.app.get(&path("lat=6.7&lng=79.8522", &known)).await;
    assert!(minutes(&far.expect(200), "earliestMinutes") > latest);

    for (place, restaurants, code) in [
        ("lat=91&lng=79", &*known, "delivery.place-invalid"),
        ("lat=6.9&lng=79.8", "kottu", "delivery.restaurants-invalid"),
        ("lat=6.9&lng=79.8", "", "delivery.restaurants-invalid"),
    ] {
        let refused = fixture.app.get(&path(place, restaurants)).await;
        assert_eq!(refused.expect(422)["code"], code);
    }
    let many = vec![known; 101].join(",");
    let refused = fixture.app.get(&path("lat=6.9&lng=79.8", &many)).await;
    assert_eq!(refused.expect(422)["code"], "delivery.restaurants-invalid");
}

#[tokio::test]
async fn a_busy_restaurant_lengthens_estimates_until_it_is_not() {
    let fixture = Fixture::new().await;
    let path = format!(
        "/api/v1/delivery/estimates?lat=6.9061&lng=79.8522&restaurants={}",
        fixture.restaurant
    );
    let latest = async || {
        let answer = fixture.app.get(&path).await.expect(200);
        answer[0]["latestMinutes"].as_i64().unwrap()
    };
    let set = async |minutes: i32| {
        let slowed = RestaurantEvent::Slowed(RestaurantSlowedV1 {
            restaurant: RestaurantRefV1 {
                restaurant_id: fixture.restaurant,
                owner_id: fixture.owner,
            },
            minutes,
            until: fixture.clock.now() + Duration::hours(1),
        });
        fixture.deliver_event(fixture.restaurant.0, &slowed).await;
    };
    let usual = latest().await;
    set(20).await;
    let busy = latest().await;
    assert!(busy >= usual + 20, "{busy} after {usual}");
    set(0).await;
    assert_eq!(latest().await, usual);
}
