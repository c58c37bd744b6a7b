//! The requests of Traccar Client (<https://www.traccar.org/osmand/>): JSON since its version 9, parameters of a query
//! or a form before.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use tiffin_chassis::{Problem, refusal::BadField};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::known;
use crate::http::LatePosition;

/// Metres a second of a knot.
const KNOT: f64 = 1_852.0 / 3_600.0;
/// Timestamps from here on are milliseconds, as Traccar's server reads them.
const FIRST_MILLISECONDS: i64 = i32::MAX as i64;

/// A request as Traccar Client sends it.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    Json(Value),
    Parameters(BTreeMap<String, String>),
}

/// The part of the JSON that is of use.
#[derive(Deserialize)]
struct Sent {
    location: Location,
}

#[derive(Deserialize)]
struct Location {
    #[serde(with = "time::serde::rfc3339")]
    timestamp: OffsetDateTime,
    coords: Coords,
}

#[derive(Deserialize)]
struct Coords {
    latitude: f64,
    longitude: f64,
    accuracy: Option<f64>,
    /// Metres a second.
    speed: Option<f64>,
    heading: Option<f64>,
}

impl Request {
    /// The parameters of a query or a form.
    pub fn from_parameters(text: &[u8]) -> Self {
        Self::Parameters(url::form_urlencoded::parse(text).into_owned().collect())
    }

    /// The device identifier, which is the token.
    pub fn token(&self) -> Option<&str> {
        match self {
            Self::Json(body) => body["device_id"].as_str(),
            Self::Parameters(all) => all
                .get("id")
                .or_else(|| all.get("deviceid"))
                .map(String::as_str),
        }
    }

    /// The position; `None` where the program says that it is not valid. One without a time counts as current.
    pub fn position(self, now: OffsetDateTime) -> Result<Option<LatePosition>, Problem> {
        match self {
            Self::Json(body) => {
                let Location { timestamp, coords } =
                    tiffin_chassis::body::typed::<Sent>(&body)?.location;
                Ok(Some(LatePosition {
                    lat: coords.latitude,
                    lng: coords.longitude,
                    accuracy: known(coords.accuracy, f64::MAX),
                    heading: known(coords.heading, 360.0),
                    speed: known(coords.speed, 1_000.0),
                    at: timestamp,
                }))
            }
            Self::Parameters(all) => from_parameters(&all, now),
        }
    }
}

fn from_parameters(
    all: &BTreeMap<String, String>,
    now: OffsetDateTime,
) -> Result<Option<LatePosition>, Problem> {
    let number = |field: &str| {
        let value = all.get(field).map(|text| text.parse());
        value.transpose().map_err(|_| BadField::NoNumber {
            field: field.to_owned(),
        })
    };
    let needed = |field: &str| {
        number(field)?.ok_or(BadField::Missing {
            field: field.to_owned(),
        })
    };
    if matches!(all.get("valid").map(String::as_str), Some("false" | "0")) {
        return Ok(None);
    }
    let heading = if all.contains_key("bearing") {
        "bearing"
    } else {
        "heading"
    };
    Ok(Some(LatePosition {
        lat: needed("lat")?,
        lng: needed("lon")?,
        accuracy: known(number("accuracy")?, f64::MAX),
        heading: known(number(heading)?, 360.0),
        speed: known(number("speed")?.map(|knots: f64| knots * KNOT), 1_000.0),
        at: all.get("timestamp").map_or(Ok(now), |text| time_of(text))?,
    }))
}

/// Seconds or milliseconds since 1970, or a time as RFC 3339 writes it.
fn time_of(text: &str) -> Result<OffsetDateTime, BadField> {
    let time = match text.parse::<i64>() {
        Ok(seconds) if seconds < FIRST_MILLISECONDS => {
            OffsetDateTime::from_unix_timestamp(seconds).ok()
        }
        Ok(millis) => {
            OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000).ok()
        }
        Err(_) => OffsetDateTime::parse(text, &Rfc3339).ok(),
    };
    time.ok_or(BadField::NoTime {
        field: "timestamp".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-26 09:00 UTC);

    fn position(query: &str) -> LatePosition {
        let request = Request::from_parameters(query.as_bytes());
        request.position(NOW).unwrap().unwrap()
    }

    #[test]
    fn parameters_are_read_in_the_units_of_the_protocol() {
        let sent =
            "deviceid=a%2Bb&lat=6.9&lon=79.85&speed=10&bearing=182.5&accuracy=4&batt=80&hdop=1";
        let request = Request::from_parameters(sent.as_bytes());
        assert_eq!(request.token(), Some("a+b"));
        let found = position(sent);
        assert!((found.speed.unwrap() - 5.144).abs() < 0.001);
        assert_eq!((found.heading, found.accuracy), (Some(182.5), Some(4.0)));
        assert_eq!(found.at, NOW, "without a time it is of now");
        let heading = position("lat=6.9&lon=79.85&heading=90&speed=-1");
        assert_eq!((heading.heading, heading.speed), (Some(90.0), None));
    }

    #[test]
    fn a_time_is_seconds_milliseconds_or_text() {
        let at = |text: &str| position(&format!("lat=6.9&lon=79.85&timestamp={text}")).at;
        assert_eq!(at("1795683600"), NOW);
        assert_eq!(at("1795683600000"), NOW);
        assert_eq!(at("2026-11-26T09:00:00.000Z"), NOW);
        for wrong in ["noon", "2026-11-26", "9223372036854775807", "1e9", ""] {
            assert!(time_of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn json_says_unknown_by_a_negative_number_or_null() {
        let body = json!({
            "device_id": "token",
            "location": {
                "timestamp": "2026-11-26T09:00:00.000Z",
                "coords": {
                    "latitude": 6.9, "longitude": 79.85, "accuracy": 4, "speed": -1, "heading": null, "altitude": -1,
                },
            },
        });
        let request = Request::Json(body);
        assert_eq!(request.token(), Some("token"));
        let found = request.position(NOW).unwrap().unwrap();
        assert_eq!((found.lat, found.lng, found.at), (6.9, 79.85, NOW));
        assert_eq!(
            (found.accuracy, found.speed, found.heading),
            (Some(4.0), None, None)
        );
        for other in [json!(null), json!([]), json!({}), json!({ "device_id": 7 })] {
            assert_eq!(Request::Json(other.clone()).token(), None, "{other}");
            assert!(Request::Json(other).position(NOW).is_err());
        }
    }
}
