//! The quick reader of a published position. Full JSON parsing costs more than all the rest of a delivery.
//! A bridge publishes compact JSON with plain values only, and those are found by quotes and commas. Any
//! other text is left to the full parser.

use std::sync::LazyLock;

use memchr::{memchr2, memmem::Finder};

const DATA: &str = ",\"data\":{";

static KIND_FINDER: LazyLock<Finder<'_>> =
    LazyLock::new(|| Finder::new("\"type\":\"tiffin.position.updated.v1\""));
static DATA_FINDER: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(DATA));

/// The values that are shown, as they were published.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PositionFields<'a> {
    pub lat: &'a [u8],
    pub lng: &'a [u8],
    pub accuracy: Option<&'a [u8]>,
    pub heading: Option<&'a [u8]>,
    pub speed: Option<&'a [u8]>,
    pub at: &'a [u8],
}

impl PositionFields<'_> {
    /// Appends them as the rest of a frame that `prefix` is the start of.
    pub fn write(&self, prefix: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(prefix);
        field(out, b"\"lat\":", self.lat);
        field(out, b",\"lng\":", self.lng);
        let optional: [(&[u8], _); 3] = [
            (b",\"accuracy\":", self.accuracy),
            (b",\"heading\":", self.heading),
            (b",\"speed\":", self.speed),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                field(out, name, value);
            }
        }
        field(out, b",\"at\":", self.at);
        out.push(b'}');
    }
}

fn field(out: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    out.extend_from_slice(name);
    out.extend_from_slice(value);
}

/// Finds them in an envelope whose payload comes last and holds plain values; `None` where it is
/// anything else.
pub fn position(envelope: &[u8]) -> Option<PositionFields<'_>> {
    // In JSON these bytes can't be part of a string: its quotes would have a backslash before them.
    let start = DATA_FINDER.find(envelope)?;
    KIND_FINDER.find(&envelope[..start])?;
    let mut rest = &envelope[start + DATA.len()..];
    let mut shown = PositionFields::default();
    loop {
        let (name, after) = string(rest)?;
        let (value, after) = value(after.strip_prefix(b":")?)?;
        match name {
            b"lat" => shown.lat = number(value)?,
            b"lng" => shown.lng = number(value)?,
            b"accuracy" if value != b"null" => shown.accuracy = Some(number(value)?),
            b"heading" if value != b"null" => shown.heading = Some(number(value)?),
            b"speed" if value != b"null" => shown.speed = Some(number(value)?),
            b"at" => shown.at = time(value)?,
            _ => {}
        }
        match after {
            [b',', after @ ..] => rest = after,
            b"}}" => break,
            _ => return None,
        }
    }
    let is_whole = !shown.lat.is_empty() && !shown.lng.is_empty() && !shown.at.is_empty();
    is_whole.then_some(shown)
}

/// A string without escapes at the start, and what follows.
fn string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = bytes.strip_prefix(b"\"")?;
    let end = memchr2(b'"', b'\\', inner)?;
    let is_plain = inner[end] == b'"';
    is_plain.then_some((&inner[..end], &inner[end + 1..]))
}

/// A plain value at the start, quotes included, and what follows.
fn value(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if bytes.first() == Some(&b'"') {
        let (inner, after) = string(bytes)?;
        return Some((&bytes[..inner.len() + 2], after));
    }
    let end = bytes.iter().position(|byte| matches!(byte, b',' | b'}'))?;
    (end > 0).then_some(bytes.split_at(end))
}

/// A value that consists of a number's characters only. Who published it made it from a number.
fn number(value: &[u8]) -> Option<&[u8]> {
    let is_number = value
        .iter()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
    is_number.then_some(value)
}

/// A quoted value that consists of a time's characters only.
fn time(value: &[u8]) -> Option<&[u8]> {
    let inner = value.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let is_time = inner
        .iter()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b':' | b'.' | b'T' | b'Z'));
    is_time.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"type":"tiffin.position.updated.v1","n":1,"data":{"#;

    fn scanned(data: &str) -> Option<PositionFields<'_>> {
        position(data.as_bytes())
    }

    #[test]
    fn plain_values_are_found_in_any_order() {
        let envelope = format!(
            r#"{HEAD}"at":"2026-11-21T09:00:00Z","lng":-79.5,"x":true,"accuracy":12,"heading":null,"lat":6e0,"speed":7.5}}}}"#
        );
        let expected = PositionFields {
            lat: b"6e0",
            lng: b"-79.5",
            accuracy: Some(b"12"),
            heading: None,
            speed: Some(b"7.5"),
            at: b"\"2026-11-21T09:00:00Z\"",
        };
        assert_eq!(scanned(&envelope), Some(expected));
    }

    #[test]
    fn whatever_looks_different_is_left_alone() {
        let good = r#""lat":6,"lng":79,"at":"2026""#;
        assert!(scanned(&format!("{HEAD}{good}}}}}")).is_some());
        for data in [
            format!(r#"{HEAD}{good}}},"more":1}}"#),
            format!(r"{HEAD}{good}}}"),
            format!(r"{HEAD}{good}"),
            format!(r#"{HEAD}"lat":6,"lng":79}}}}"#),
            format!(r#"{HEAD}{good},"x":{{}}}}}}"#),
            format!(r#"{HEAD}{good},"x":"\"}}}}"}}}}"#),
            format!(r"{HEAD} {good}}}}}"),
            format!(r#"{HEAD}"lat":6,"lng":79,"at":2026}}}}"#),
            format!(r#"{HEAD}"lat":"6","lng":79,"at":"2026"}}}}"#),
            format!(r#"{HEAD}"lat":true,"lng":79,"at":"2026"}}}}"#),
            format!("{{{good}}}"),
            String::new(),
        ] {
            assert_eq!(scanned(&data), None, "{data}");
        }
        let other = HEAD.replace("v1", "v2");
        assert_eq!(scanned(&format!("{other}{good}}}}}")), None);
    }
}
