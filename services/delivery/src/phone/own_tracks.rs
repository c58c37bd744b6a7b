//! The requests of `OwnTracks` in its HTTP mode (<https://owntracks.org/booklet/tech/http/>,
//! <https://owntracks.org/booklet/tech/json/>).

use base64::{Engine, engine::general_purpose::STANDARD};
use http::{HeaderMap, header};
use serde::Deserialize;
use serde_json::Value;
use tiffin_chassis::{Problem, refusal::BadField};
use time::OffsetDateTime;

use super::known;
use crate::http::LatePosition;

/// Kilometres an hour of a metre a second.
const KILOMETRES_AN_HOUR: f64 = 3.6;

/// A message of the type `location`.
#[derive(Deserialize)]
struct Location {
    lat: f64,
    lon: f64,
    /// Seconds since 1970.
    tst: i64,
    /// Metres.
    acc: Option<f64>,
    /// Degrees.
    cog: Option<f64>,
    /// Kilometres an hour.
    vel: Option<f64>,
}

/// The token: the password of HTTP Basic authentication. The user name is ignored.
pub fn token(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, credentials) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(STANDARD.decode(credentials.trim()).ok()?).ok()?;
    let (_, password) = decoded.split_once(':')?;
    Some(password.to_owned())
}

/// The position of a message; `None` for messages of other types, such as `status` or `transition`.
pub fn position(message: &Value) -> Result<Option<LatePosition>, Problem> {
    if message["_type"] != "location" {
        return Ok(None);
    }
    let location = tiffin_chassis::body::typed::<Location>(message)?;
    let at = OffsetDateTime::from_unix_timestamp(location.tst);
    Ok(Some(LatePosition {
        lat: location.lat,
        lng: location.lon,
        accuracy: known(location.acc, f64::MAX),
        heading: known(location.cog, 360.0),
        speed: known(
            location.vel.map(|speed| speed / KILOMETRES_AN_HOUR),
            1_000.0,
        ),
        at: at.map_err(|_| BadField::NoTime {
            field: "tst".to_owned(),
        })?,
    }))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use serde_json::json;

    use super::*;

    fn shown(authorization: &str) -> Option<String> {
        let value = HeaderValue::from_str(authorization).unwrap();
        token(&HeaderMap::from_iter([(header::AUTHORIZATION, value)]))
    }

    #[test]
    fn the_token_is_the_password_whatever_the_name() {
        let basic = |text: &str| shown(&format!("Basic {}", STANDARD.encode(text)));
        assert_eq!(basic("driver:a-token"), Some("a-token".to_owned()));
        assert_eq!(basic(":a:b"), Some("a:b".to_owned()));
        assert_eq!(shown("basic ZHJpdmVyOmE="), Some("a".to_owned()));
        for wrong in ["Bearer a-token", "Basic", "Basic a:b", "Basic /w==", ""] {
            assert_eq!(shown(wrong), None, "{wrong}");
        }
        assert_eq!(basic("a-token"), None);
    }

    #[test]
    fn a_location_is_read_in_the_units_of_the_protocol() {
        let message = json!({
            "_type": "location", "lat": 6.9, "lon": 79.85, "tst": 1_795_683_600, "acc": 9, "cog": 270, "vel": 36,
        });
        let found = position(&message).unwrap().unwrap();
        assert_eq!(
            (found.speed, found.heading, found.accuracy),
            (Some(10.0), Some(270.0), Some(9.0))
        );
        assert_eq!(found.at.unix_timestamp(), 1_795_683_600);
        for other in [
            json!(null),
            json!([]),
            json!({ "_type": "waypoint", "lat": 6.9 }),
            json!("location"),
        ] {
            assert!(position(&other).unwrap().is_none(), "{other}");
        }
        assert!(
            position(&json!({ "_type": "location", "lat": 6.9, "lon": 79.85, "tst": i64::MAX }))
                .is_err()
        );
    }
}
