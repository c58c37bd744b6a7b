//! The fault of a JSON text, without the values in it: logs and dead letters hold no personal ones.

use std::{borrow::Cow, fmt};

/// The beginnings of serde's messages after which it quotes a value.
const QUOTES_VALUE: [&str; 4] = [
    "invalid type",
    "invalid value",
    "invalid length",
    "unknown variant",
];
/// The beginnings of those that name a field, but no value.
const NAMES_FIELD: [&str; 2] = ["missing field", "duplicate field"];
/// A type's own message may hold anything.
const REFUSED: &str = "a value that its type refuses";

/// The reason why a text was not read as a type: the fault and its place, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonFault(String);

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for JsonFault {}

impl From<serde_json::Error> for JsonFault {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        // What is no JSON is not quoted.
        if !error.is_data() {
            return Self(text);
        }
        let place = format!(" at line {} column {}", error.line(), error.column());
        let (fault, place) = match text.strip_suffix(&place) {
            Some(fault) => (fault, place.as_str()),
            None => (text.as_str(), ""),
        };
        Self(format!("{}{place}", without_value(fault)))
    }
}

fn without_value(fault: &str) -> Cow<'_, str> {
    if NAMES_FIELD.iter().any(|words| fault.starts_with(words)) {
        return fault.into();
    }
    let quotes = QUOTES_VALUE.iter().find(|words| fault.starts_with(*words));
    // From the end: the value may contain the same words.
    match (quotes, fault.rsplit_once(", expected ")) {
        (Some(words), Some((_, expected))) => format!("{words}, expected {expected}").into(),
        (Some(words), None) => (*words).into(),
        (None, _) => REFUSED.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        House,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "what is read is the fault")]
    struct Profile {
        number: u8,
        kind: Kind,
        id: uuid::Uuid,
    }

    #[test]
    fn a_fault_names_its_place_and_no_value() {
        let whole = |number: &str, kind: &str, id: &str| {
            format!(r#"{{"number":{number},"kind":{kind},"id":{id}}}"#)
        };
        let id = r#""01930000-0000-7000-8000-000000000003""#;
        let mark = r#""Kanari, expected Street""#;
        for (text, fault) in [
            (
                whole(mark, r#""house""#, id),
                "invalid type, expected u8 at line 1 column 35",
            ),
            (
                whole("7", mark, id),
                "unknown variant, expected `house` at line 1 column 44",
            ),
            (
                whole("7", r#""house""#, mark),
                "a value that its type refuses at line 1 column 57",
            ),
            (
                r#"{"number":7}"#.to_owned(),
                "missing field `kind` at line 1 column 12",
            ),
            (
                r#"{"number":777}"#.to_owned(),
                "invalid value, expected u8 at line 1 column 13",
            ),
            (
                r#"{"number":"Kanari"#.to_owned(),
                "EOF while parsing a string at line 1 column 17",
            ),
        ] {
            let error = serde_json::from_str::<Profile>(&text).unwrap_err();
            assert_eq!(JsonFault::from(error).to_string(), fault, "{text}");
        }
    }
}
