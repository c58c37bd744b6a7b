//! What serde says about a value, in words for the person who sent it.

use serde_json::Value;

use crate::Problem;

/// The refusal of a value: `path` is where it is, `text` is serde's message.
pub(crate) fn problem(path: &str, text: &str) -> Problem {
    let (field, rest) = of(path, text);
    match field {
        Some(field) => Problem::invalid(&field, format!("{field} {rest}")),
        None => Problem::unprocessable(format!("The body {rest}")),
    }
}

/// The field, unless it is the whole, and what is wrong with it.
fn of(path: &str, text: &str) -> (Option<String>, String) {
    let path = if path == "." { "" } else { path };
    let text = text.split_once(" at line ").map_or(text, |(text, _)| text);
    let below = |name: &str| {
        if path.is_empty() {
            name.to_owned()
        } else {
            format!("{path}.{name}")
        }
    };
    let quoted = |text: &str| text.split('`').nth(1).unwrap_or_default().to_owned();
    if text.starts_with("missing field") {
        return (Some(below(&quoted(text))), "is required.".to_owned());
    }
    // serde_path_to_error already has an unknown field's own name in the path.
    if text.starts_with("unknown field") {
        let name = quoted(text);
        let field = if path.ends_with(&name) {
            path.to_owned()
        } else {
            below(&name)
        };
        return (Some(field), "is not known here.".to_owned());
    }
    let field = (!path.is_empty()).then(|| path.to_owned());
    (field, wrong(text))
}

fn wrong(text: &str) -> String {
    if let Some((_, expected)) = text.split_once(", expected ") {
        return format!("must be {}.", kind(expected));
    }
    if text.contains("invalid digit")
        || text.contains("number too")
        || text.contains("integer from")
    {
        return "must be a whole number.".to_owned();
    }
    if text.starts_with("UUID")
        || text.contains("invalid character: expected an optional prefix of `urn:uuid:`")
    {
        return "must be an id.".to_owned();
    }
    format!("is not right: {}.", text.trim_end_matches('.'))
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

/// Where a JSON body holds a NUL character, which PostgreSQL can't keep in a text.
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
    use super::of;

    #[test]
    fn serdes_words_become_ours() {
        for (path, text, field, message) in [
            (
                ".",
                "missing field `name` at line 1 column 2",
                Some("name"),
                "is required.",
            ),
            ("a[0]", "missing field `b`", Some("a[0].b"), "is required."),
            (
                "price",
                "invalid type: string \"x\", expected f64 at line 1 column 9",
                Some("price"),
                "must be a number.",
            ),
            (
                "role",
                "unknown variant `x`, expected one of `a`, `b`",
                Some("role"),
                "must be one of a, b.",
            ),
            (
                ".",
                "invalid type: integer `1`, expected struct Cart at line 1 column 1",
                None,
                "must be an object.",
            ),
            (
                "price",
                "an amount has at most two decimals",
                Some("price"),
                "is not right: an amount has at most two decimals.",
            ),
        ] {
            assert_eq!(
                of(path, text),
                (field.map(str::to_owned), message.to_owned()),
                "{text}"
            );
        }
    }
}
