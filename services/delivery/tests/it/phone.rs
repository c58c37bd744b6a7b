//! The requests of Traccar Client and `OwnTracks` from a locked phone, over a real broker.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tiffin_events::{Role, UserId};
use tiffin_testkit::Answer;
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{fixture::Fixture, record_positions::PhoneFixture};

pub const PHONE: &str = "/api/v1/delivery/phone";
pub const TRACCAR: &str = "/api/v1/delivery/phone/traccar";
pub const OWN_TRACKS: &str = "/api/v1/delivery/phone/owntracks";

pub async fn make(fixture: &Fixture, driver: UserId) -> String {
    let token = fixture.token(driver, Role::Delivery);
    let made = fixture.app.post(PHONE).token(&token).await.expect(201);
    made["token"].as_str().unwrap().to_owned()
}

pub async fn shown(fixture: &Fixture) -> Value {
    let call = fixture.app.get(PHONE).token(&fixture.driver());
    call.await.expect(200)["token"].clone()
}

/// The body of Traccar Client 9 (<https://www.traccar.org/osmand/>), with what the program adds to it.
pub fn traccar(token: &str, lat: f64, at: OffsetDateTime) -> Value {
    json!({
        "location": {
            "timestamp": at.format(&Rfc3339).unwrap(),
            "coords": {
                "latitude": lat, "longitude": 79.85, "accuracy": 12.5, "speed": -1, "heading": -1,
                "altitude": 7.1,
            },
            "is_moving": true,
            "odometer": 1240.5,
            "event": "motionchange",
            "battery": { "level": 0.85, "is_charging": false },
            "activity": { "type": "in_vehicle" },
            "extras": {},
            "_": format!("&id={token}&lat={lat}&lon=79.85&"),
        },
        "device_id": token,
    })
}

/// A message of `OwnTracks` (<https://owntracks.org/booklet/tech/json/>).
pub fn location(lat: f64, at: OffsetDateTime) -> Value {
    json!({
        "_type": "location", "lat": lat, "lon": 79.85, "tst": at.unix_timestamp(), "acc": 14, "alt": 7,
        "batt": 85, "bs": 1, "cog": 270, "vel": 36, "t": "u", "tid": "DR", "topic": "owntracks/driver/phone",
        "created_at": at.unix_timestamp() + 1, "conn": "m", "inregions": [], "m": 2,
    })
}

pub async fn send_traccar(fixture: &Fixture, body: &Value) -> Answer {
    fixture.app.post(TRACCAR).json(body).await
}

pub async fn send_own_tracks(fixture: &Fixture, token: &str, body: &str) -> Answer {
    let basic = STANDARD.encode(format!("driver:{token}"));
    let call = fixture.app.post(OWN_TRACKS).raw(body);
    let call = call.header("authorization", &format!("Basic {basic}"));
    call.header("x-limit-u", "driver")
        .header("x-limit-d", "phone")
        .await
}

fn whole_seconds(at: OffsetDateTime) -> OffsetDateTime {
    at.replace_nanosecond(0).unwrap()
}

#[tokio::test]
async fn positions_of_both_programs_move_the_marker_once_each() {
    let phone = PhoneFixture::start().await;
    let fixture = &phone.fixture;
    let delivery = phone.delivery().await;
    let token = make(fixture, fixture.driver).await;
    let now = whole_seconds(fixture.clock.now());
    let ago = |seconds| now - Duration::seconds(seconds);

    // The JSON of Traccar Client 9, twice: a lost answer has it sent again.
    for _ in 0..2 {
        let answer = send_traccar(fixture, &traccar(&token, 6.91, ago(60))).await;
        assert_eq!(answer.expect(200), json!({ "outcome": "used" }));
    }
    // The parameters of Traccar Client before, in a query by POST and by GET, and in a form.
    let parameters = |lat: f64, at: i64| {
        format!(
            "id={token}&timestamp={at}&lat={lat}&lon=79.85&speed=19.44&bearing=90.0&altitude=7.0&accuracy=5.0&batt=85.0"
        )
    };
    let seconds = ago(50).unix_timestamp();
    let call = fixture
        .app
        .post(&format!("{TRACCAR}?{}", parameters(6.92, seconds)));
    assert_eq!(call.await.expect(200), json!({ "outcome": "used" }));
    let millis = ago(40).unix_timestamp() * 1_000;
    let answer = fixture
        .app
        .get(&format!("{TRACCAR}?{}", parameters(6.93, millis)))
        .await;
    assert_eq!(answer.header("cache-control").unwrap(), "no-store");
    assert_eq!(answer.expect(200), json!({ "outcome": "used" }));
    let form = parameters(6.94, ago(30).unix_timestamp());
    let sent = reqwest::Client::new().post(format!("{}{TRACCAR}", fixture.app.url));
    let sent = sent
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form);
    assert_eq!(sent.send().await.unwrap().status().as_u16(), 200);
    // OwnTracks, whose answer is a list of messages.
    for _ in 0..2 {
        let body = location(6.95, ago(20)).to_string();
        assert_eq!(
            send_own_tracks(fixture, &token, &body).await.expect(200),
            json!([])
        );
    }
    assert_eq!(
        phone.stored(&delivery).await,
        (vec![6.91, 6.92, 6.93, 6.94, 6.95], vec![])
    );
    let last = phone.last(&delivery).await;
    assert_eq!(
        (&last["speed"], &last["heading"], &last["accuracy"]),
        (&json!(10.0), &json!(270.0), &json!(14.0))
    );

    // One that comes late becomes history, and the marker stays.
    send_traccar(fixture, &traccar(&token, 6.915, ago(55)))
        .await
        .expect(200);
    assert_eq!(phone.stored(&delivery).await.1, [6.915]);
    let state = shown(fixture).await;
    assert_eq!(state["outcome"], "used");
    assert!(
        state["usedAt"].is_string() && !state.to_string().contains(&token),
        "{state}"
    );
}

#[tokio::test]
async fn other_messages_of_own_tracks_are_taken_and_dropped() {
    let fixture = Fixture::new().await;
    let token = make(&fixture, fixture.driver).await;
    for message in [
        json!({ "_type": "status", "iOS": { "altimeterIsRelativeAltitudeAvailable": true } }).to_string(),
        json!({ "_type": "transition", "wtst": 1, "lat": 6.9, "lon": 79.85, "tst": 2, "acc": 3, "event": "enter" }).to_string(),
        json!({ "_type": "encrypted", "data": "b3BhcXVl" }).to_string(),
        json!({ "_type": "lwt", "tst": 1 }).to_string(),
        // A friend was removed.
        String::new(),
    ] {
        let answer = send_own_tracks(&fixture, &token, &message).await;
        assert_eq!(answer.expect(200), json!([]), "{message}");
    }
    let state = shown(&fixture).await;
    assert!(
        state["usedAt"].is_string() && state["outcome"].is_null(),
        "{state}"
    );
}

#[tokio::test]
async fn without_a_delivery_under_way_a_position_is_accepted_and_dropped() {
    let phone = PhoneFixture::start().await;
    let fixture = &phone.fixture;
    let token = make(fixture, fixture.driver).await;
    let now = fixture.clock.now();
    let answer = send_traccar(fixture, &traccar(&token, 6.91, now)).await;
    assert_eq!(answer.expect(200), json!({ "outcome": "no-delivery" }));
    // Not even another driver's delivery gets it.
    let delivery = phone.delivery().await;
    let others = make(fixture, fixture.other_driver).await;
    let answer = send_traccar(fixture, &traccar(&others, 6.92, now)).await;
    assert_eq!(answer.expect(200), json!({ "outcome": "no-delivery" }));
    assert_eq!(phone.stored(&delivery).await, (vec![], vec![]));
    for table in ["deliveries", "phone_tokens"] {
        let rows: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "select t::text from {table} t"
        )))
        .fetch_all(&fixture.db.pool)
        .await
        .unwrap();
        assert!(!rows.join("\n").contains("6.91"), "{rows:?}");
    }
}

#[tokio::test]
async fn a_position_of_no_use_is_not_asked_for_again_and_the_driver_sees_why() {
    let fixture = Fixture::new().await;
    fixture.delivery().await;
    let token = make(&fixture, fixture.driver).await;
    let now = fixture.clock.now();
    for (lat, at, outcome) in [
        (6.9, now + Duration::minutes(5), "ahead"),
        (6.9, now - Duration::hours(25), "too-old"),
        (96.0, now, "impossible"),
    ] {
        let answer = send_traccar(&fixture, &traccar(&token, lat, at)).await;
        assert_eq!(answer.expect(200), json!({ "outcome": outcome }));
        let body = location(lat, at).to_string();
        let answer = send_own_tracks(&fixture, &token, &body).await;
        assert_eq!(answer.expect(200), json!([]));
        assert_eq!(shown(&fixture).await["outcome"], outcome);
    }
    // A program that knows no position says so.
    let path = format!("{TRACCAR}?id={token}&lat=6.9&lon=79.85&valid=false");
    assert_eq!(
        fixture.app.get(&path).await.expect(200),
        json!({ "outcome": null })
    );
}

#[tokio::test]
async fn what_neither_program_sends_is_refused_by_field() {
    let fixture = Fixture::new().await;
    let token = make(&fixture, fixture.driver).await;
    let refused = async |query: &str| {
        let answer = fixture
            .app
            .get(&format!("{TRACCAR}?id={token}&{query}"))
            .await;
        assert!(!answer.text.contains(&token), "{}", answer.text);
        answer.problem(422)
    };
    assert_eq!(refused("lat=6.9").await, "lon is required.");
    assert_eq!(
        refused("lat=north&lon=79.85").await,
        "lat must be a number."
    );
    assert_eq!(
        refused("lat=6.9&lon=79.85&timestamp=noon").await,
        "timestamp must be a time such as 2026-11-21T09:00:00Z."
    );
    let mut body = traccar(&token, 6.9, fixture.clock.now());
    body["location"]["coords"]["latitude"] = json!("6.9");
    let answer = send_traccar(&fixture, &body).await;
    assert_eq!(
        answer.problem(422),
        "location.coords.latitude must be a number."
    );
    let body = json!({ "_type": "location", "lat": 6.9, "lon": 79.85 }).to_string();
    let answer = send_own_tracks(&fixture, &token, &body).await;
    assert_eq!(answer.problem(422), "tst is required.");
    for broken in ["{", "[1", "\"x"] {
        send_own_tracks(&fixture, &token, broken).await.problem(400);
        fixture.app.post(TRACCAR).raw(broken).await.problem(400);
    }
}
