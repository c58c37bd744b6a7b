//! Routes on the streets of Helsinki's centre, from real routers.

use serde_json::{Value, json};
use tiffin_events::{Role, UserId, driver::VehicleType};
use tiffin_testkit::TestRouter;

use crate::fixture::Fixture;

/// West of the railway station, and the market square.
const STATION: (f64, f64) = (60.1693, 24.9355);
const MARKET: (f64, f64) = (60.1680, 24.9538);

/// A delivery from the station to the market, of a driver who has a bike.
async fn delivery(router: &TestRouter) -> (Fixture, Value) {
    let fixture = Fixture::routed(router).await;
    let delivery = fixture.delivery().await;
    put(&fixture, "restaurants", "lat", STATION).await;
    put(&fixture, "orders", "dest_lat", MARKET).await;
    (fixture, delivery)
}

/// Moves every restaurant or every destination.
async fn put(fixture: &Fixture, table: &str, column: &str, (lat, lng): (f64, f64)) {
    let other = column.replace("lat", "lng");
    let sql = format!("update {table} set {column} = $1, {other} = $2");
    sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(lat)
        .bind(lng)
        .execute(&fixture.db.pool)
        .await
        .unwrap();
}

async fn route(fixture: &Fixture, delivery: &Value) -> Value {
    let path = format!(
        "/api/v1/delivery/route/{}",
        delivery["_id"].as_str().unwrap()
    );
    let answer = fixture.app.get(&path).token(&fixture.customer());
    answer.await.expect(200)
}

fn metres(leg: &Value) -> f64 {
    leg["metres"].as_f64().unwrap()
}

/// The first and the last point of a leg.
fn ends(leg: &Value) -> [(f64, f64); 2] {
    let points = leg["points"].as_array().unwrap();
    [points.first(), points.last()].map(|point| {
        let point = point.unwrap();
        (
            point["lat"].as_f64().unwrap(),
            point["lng"].as_f64().unwrap(),
        )
    })
}

fn is_near(one: (f64, f64), other: (f64, f64)) -> bool {
    (one.0 - other.0).abs() < 0.0005 && (one.1 - other.1).abs() < 0.001
}

#[tokio::test]
async fn the_route_leads_along_streets_to_the_restaurant_and_on_to_the_customer() {
    let router = TestRouter::start().await;
    let (fixture, delivery) = delivery(&router).await;
    let legs = route(&fixture, &delivery).await;
    assert_eq!(legs["toRestaurant"], Value::Null, "the driver is unknown");
    let with_food = &legs["toDestination"];
    assert_eq!(with_food["basis"], "street");
    assert!(with_food["points"].as_array().unwrap().len() > 10);
    let [start, end] = ends(with_food);
    assert!(
        is_near(start, STATION) && is_near(end, MARKET),
        "{with_food}"
    );
    assert!((1_000.0..2_000.0).contains(&metres(with_food)));

    let harbour = (60.1655, 24.9450);
    fixture.put_driver(harbour.0, harbour.1).await;
    let legs = route(&fixture, &delivery).await;
    let [start, end] = ends(&legs["toRestaurant"]);
    assert!(is_near(start, harbour) && is_near(end, STATION), "{legs}");

    // On the way, a driver beside the street keeps it, and another one leads from where they are.
    fixture
        .set_status(&delivery, "on the way")
        .await
        .expect(200);
    let points = with_food["points"].as_array().unwrap();
    let middle = &points[points.len() / 2];
    let (lat, lng) = (
        middle["lat"].as_f64().unwrap(),
        middle["lng"].as_f64().unwrap(),
    );
    fixture.put_driver(lat + 0.0001, lng).await;
    let legs = route(&fixture, &delivery).await;
    assert_eq!(&legs["toDestination"], with_food);
    assert_eq!(legs["toRestaurant"], Value::Null);
    fixture.put_driver(harbour.0, harbour.1).await;
    let legs = route(&fixture, &delivery).await;
    let [start, end] = ends(&legs["toDestination"]);
    assert!(is_near(start, harbour) && is_near(end, MARKET), "{legs}");

    // Afterwards the planned route is shown.
    fixture.set_status(&delivery, "delivered").await.expect(200);
    assert_eq!(
        &route(&fixture, &delivery).await["toDestination"],
        with_food
    );
}

#[tokio::test]
async fn lengths_are_the_routers_own_for_two_hundred_pairs_of_places() {
    let router = TestRouter::start().await;
    let (fixture, delivery) = delivery(&router).await;
    let bike = router.osrm.routers.first().unwrap().url();
    let mut dice = 7_u64;
    let mut place = || {
        let mut part = || {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from(u32::try_from(dice >> 40).unwrap()) / f64::from(1 << 24)
        };
        (60.163 + 0.008 * part(), 24.936 + 0.017 * part())
    };
    for _ in 0..200 {
        let (from, to) = (place(), place());
        put(&fixture, "restaurants", "lat", from).await;
        put(&fixture, "orders", "dest_lat", to).await;
        let ours = &route(&fixture, &delivery).await["toDestination"];
        let url = format!(
            "{bike}/route/v1/any/{},{};{},{}?overview=false",
            from.1, from.0, to.1, to.0
        );
        let theirs: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
        let theirs = theirs["routes"][0]["distance"].as_f64().unwrap();
        assert!(
            (metres(ours) - theirs).abs() <= 0.02 * theirs,
            "{from:?} to {to:?}: {} m, not {theirs} m",
            metres(ours)
        );
    }
}

#[tokio::test]
async fn a_place_without_a_street_gets_a_straight_line() {
    let router = TestRouter::start().await;
    let (fixture, delivery) = delivery(&router).await;
    // Colombo, and the middle of the bay before Helsinki.
    for elsewhere in [(6.9061, 79.8522), (60.1400, 24.9500)] {
        put(&fixture, "orders", "dest_lat", elsewhere).await;
        let leg = &route(&fixture, &delivery).await["toDestination"];
        assert_eq!(leg["basis"], "straight", "{elsewhere:?}");
        assert_eq!(leg["points"].as_array().unwrap().len(), 2);
    }
    put(&fixture, "orders", "dest_lat", (0.0, 0.0)).await;
    let legs = route(&fixture, &delivery).await;
    assert_eq!(legs, json!({ "toRestaurant": null, "toDestination": null }));
}

#[tokio::test]
async fn without_the_router_lines_are_straight_until_it_is_back() {
    let mut router = TestRouter::start().await;
    let (fixture, delivery) = delivery(&router).await;
    let basis = async || route(&fixture, &delivery).await["toDestination"]["basis"].clone();
    assert_eq!(basis().await, "street");
    let bike = router.osrm.routers.first_mut().unwrap();
    bike.kill();
    assert_eq!(basis().await, "straight");
    let forecast = fixture.forecast().await;
    assert_eq!(forecast.last().unwrap().data["basis"], "straight");
    bike.start_again().await.unwrap();
    assert_eq!(basis().await, "street");

    // One that takes calls and does not answer.
    let pid = bike.pid().unwrap().to_string();
    let signal = |signal: &str| {
        let sent = std::process::Command::new("kill")
            .args([signal, &pid])
            .status();
        assert!(sent.unwrap().success());
    };
    signal("-STOP");
    assert_eq!(basis().await, "straight");
    signal("-CONT");
    // It is left alone for some seconds.
    for _ in 0..100 {
        if basis().await == "street" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    panic!("lines stay straight");
}

#[tokio::test]
async fn a_route_is_for_the_accounts_whose_delivery_it_is() {
    let router = TestRouter::start().await;
    let (fixture, delivery) = delivery(&router).await;
    let path = format!(
        "/api/v1/delivery/route/{}",
        delivery["_id"].as_str().unwrap()
    );
    let stranger = UserId(fixture.clock.new_id());
    for (token, status) in [
        (fixture.customer(), 200),
        (fixture.owner(), 200),
        (fixture.driver(), 200),
        (fixture.admin(), 200),
        (fixture.token(stranger, Role::Customer), 404),
        (fixture.token(stranger, Role::Restaurant), 404),
        (fixture.token(fixture.other_driver, Role::Delivery), 404),
    ] {
        let answer = fixture.app.get(&path).token(&token).await;
        assert_eq!(answer.status, status);
    }
    assert_eq!(fixture.app.get(&path).await.status, 401);
}

#[tokio::test]
async fn suggestions_know_the_streets_of_each_vehicle() {
    let router = TestRouter::start().await;
    let mut differences = Vec::new();
    for fixture in [Fixture::routed(&router).await, Fixture::new().await] {
        let order = fixture.placed().await;
        put(&fixture, "restaurants", "lat", STATION).await;
        put(&fixture, "orders", "dest_lat", MARKET).await;
        fixture.available(fixture.driver).await;
        fixture
            .available_with(fixture.other_driver, VehicleType::Car)
            .await;
        let path = format!("/api/v1/delivery/suggest/{}", order.order_code);
        let answer = fixture.app.post(&path).token(&fixture.owner()).await;
        let drivers = answer.expect(200)["drivers"].clone();
        let minutes = |at: usize| drivers[at]["minutes"].as_i64().unwrap();
        differences.push(minutes(1) - minutes(0));
    }
    assert!(
        differences[0] > 0 && differences[1] == 0,
        "on streets, and in a straight line: {differences:?}"
    );
}
