//! Rephrases serde's messages about a value for the person who sent it.

use serde_json::Value;

use crate::{
    Problem,
    refusal::{BadField, BadValue},
};

/// The refusal of a value: `path` is where it is, `text` is serde's message.
pub(crate) fn problem(path: &str, text: &str) -> Problem {
    let path = if path == "." { "" } else { path };
    // From the end: what was sent may contain the same words.
    let text = text.rsplit_once(" at line ").map_or(text, |(text, _)| text);
    let name = text.split('`').nth(1).unwrap_or_default();
    if text.starts_with("missing field") {
        let field = below(path, name);
        return BadField::Missing { field }.into();
    }
    if text.starts_with("unknown field") {
        // The path may end with the unknown field's own name already.
        let field = if path.ends_with(name) {
            path.to_owned()
        } else {
            below(path, name)
        };
        return BadField::Unknown { field }.into();
    }
    if let Some(wanted) = wanted(text) {
        return wrong(path.to_owned(), wanted).into();
    }
    let reason = sentence(text);
    let field = path.to_owned();
    match BadValue::named(&reason) {
        Some(value) if path.is_empty() => value.into(),
        Some(value) => Problem::from(value).at(path),
        None if path.is_empty() => BadField::RefusedBody { reason }.into(),
        None => BadField::Refused { field, reason }.into(),
    }
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// The expected type or value, if serde names one.
fn wanted(text: &str) -> Option<String> {
    if let Some((_, expected)) = text.rsplit_once(", expected ") {
        return Some(kind(expected));
    }
    if text.contains("invalid digit")
        || text.contains("number too")
        || text.contains("integer from")
    {
        return Some("a whole number".to_owned());
    }
    text.starts_with("UUID parsing failed")
        .then(|| "an id".to_owned())
}

/// A type's own message as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), letters.as_str())
    })
}

/// The refusal of a value that is not what serde wanted.
fn wrong(field: String, wanted: String) -> BadField {
    if field.is_empty() {
        return match wanted.as_str() {
            "an object" => BadField::NoObjectBody,
            _ => BadField::WrongBody { wanted },
        };
    }
    match wanted.as_str() {
        "a whole number" => BadField::NoWholeNumber { field },
        "a number" => BadField::NoNumber { field },
        "a text" => BadField::NoText { field },
        "true or false" => BadField::NoBoolean { field },
        "a list" => BadField::NoList { field },
        "an id" => BadField::NoId { field },
        "an object" => BadField::NoObject { field },
        "a time such as 2026-11-21T09:00:00Z" => BadField::NoTime { field },
        _ => match wanted.strip_prefix("one of ") {
            Some(values) => BadField::NotOneOf {
                field,
                values: values.to_owned(),
            },
            None => BadField::Wrong { field, wanted },
        },
    }
}

/// serde's names of types as people call them.
fn kind(expected: &str) -> String {
    match expected {
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "usize" | "isize" => {
            "a whole number".to_owned()
        }
        "f32" | "f64" => "a number".to_owned(),
        "a string" | "a borrowed string" | "a character" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a UUID string" => "an id".to_owned(),
        text if text.contains("UUID") => "an id".to_owned(),
        text if text.starts_with("struct ") || text == "a map" => "an object".to_owned(),
        text if text.contains("RFC3339") => "a time such as 2026-11-21T09:00:00Z".to_owned(),
        text => text.replace('`', ""),
    }
}

/// The field of a JSON body that holds a NUL character, which PostgreSQL can't keep in a text.
pub(crate) fn field_with_nul(body: &[u8]) -> Option<String> {
    const ESCAPED: &[u8] = b"\\u0000";
    if !body.windows(ESCAPED.len()).any(|window| window == ESCAPED) {
        return None;
    }
    let value = serde_json::from_slice(body).ok()?;
    find_nul(&value, String::new())
}

fn find_nul(value: &Value, path: String) -> Option<String> {
    match value {
        Value::String(text) => text.contains('\0').then_some(path),
        Value::Array(values) => values
            .iter()
            .enumerate()
            .find_map(|(n, value)| find_nul(value, format!("{path}[{n}]"))),
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            if name.contains('\0') {
                return Some(path.clone());
            }
            find_nul(
                value,
                if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                },
            )
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn serdes_words_become_ours() {
        for (path, text, field, code, message) in [
            (
                ".",
                "missing field `name` at line 1 column 2",
                Some("name"),
                "field-required",
                "name is required.",
            ),
            (
                "a[0]",
                "missing field `b`",
                Some("a[0].b"),
                "field-required",
                "a[0].b is required.",
            ),
            (
                "x",
                "unknown field `x`, expected `a`",
                Some("x"),
                "field-unknown",
                "x is not known here.",
            ),
            (
                "price",
                "invalid type: string \"x\", expected f64 at line 1 column 9",
                Some("price"),
                "field-no-number",
                "price must be a number.",
            ),
            (
                "price",
                "invalid type: string \"1, expected 2 at line 3\", expected f64 at line 1 column 9",
                Some("price"),
                "field-no-number",
                "price must be a number.",
            ),
            (
                "role",
                "unknown variant `x`, expected one of `a`, `b`",
                Some("role"),
                "field-not-one-of",
                "role must be one of a, b.",
            ),
            (
                "id",
                "UUID parsing failed: invalid length",
                Some("id"),
                "field-no-id",
                "id must be an id.",
            ),
            (
                ".",
                "invalid type: integer `1`, expected struct Cart at line 1 column 1",
                None,
                "body-no-object",
                "The body must be an object.",
            ),
            (
                "price",
                "an amount has no decimals at line 1 column 3",
                Some("price"),
                "amount-whole",
                "An amount has no decimals.",
            ),
            (
                "price",
                "an amount has at most three decimals at line 1 column 3",
                Some("price"),
                "amount-thousandths",
                "An amount has at most three decimals.",
            ),
            (
                "price",
                "an amount has at most two decimals at line 1 column 3",
                Some("price"),
                "amount-decimals",
                "An amount has at most two decimals.",
            ),
        ] {
            let problem = problem(path, text);
            assert_eq!(problem.reason.message, message, "{text}");
            assert_eq!(problem.reason.code, format!("request.{code}"), "{text}");
            let fields = problem.fields.keys().map(String::as_str);
            assert!(fields.eq(field), "{text}");
        }
    }
}
