//! JSON as a tree, as `tree` draws folders.

use console::style;
use serde_json::Value;

/// The mask of a personal field.
pub const MASK: &str = "•••";

/// The lines of a value's members; empty if it has none.
pub fn lines(value: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    add_lines(value, "", &mut lines);
    lines
}

fn add_lines(value: &Value, before: &str, lines: &mut Vec<String>) {
    let members: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, it)| (name.clone(), it)).collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, it)| (at.to_string(), it))
            .collect(),
        _ => Vec::new(),
    };
    let count = members.len();
    for (at, (name, member)) in members.into_iter().enumerate() {
        let (branch, trunk) = if at + 1 == count {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        let branch = style(format!("{before}{branch}")).dim();
        lines.push(format!(
            "{branch}{}{}",
            style(name).bold(),
            value_text(member)
        ));
        add_lines(member, &format!("{before}{trunk}"), lines);
    }
}

/// A name and its value on one line.
pub fn field(name: &str, value: &Value) -> String {
    format!("{name:<16}{}", value_text(value).trim_start())
}

/// The text after a member's name.
fn value_text(value: &Value) -> String {
    match value {
        Value::Object(fields) if fields.is_empty() => " {}".to_owned(),
        Value::Array(items) if items.is_empty() => " []".to_owned(),
        Value::Object(_) | Value::Array(_) => String::new(),
        Value::String(text) if text == MASK => format!("  {}", style(MASK).red()),
        Value::String(text) => format!("  {}", style(one_line(text)).green()),
        other => format!("  {}", style(other).yellow()),
    }
}

/// The text with control characters escaped, so that it can't control the terminal.
pub fn one_line(text: &str) -> String {
    text.chars()
        .flat_map(|letter| {
            let code = letter.is_control().then(|| letter.escape_default());
            let plain = (!letter.is_control()).then_some(letter);
            code.into_iter().flatten().chain(plain)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_hang_under_their_object_and_control_characters_are_harmless() {
        console::set_colors_enabled(false);
        let value = json!({ "items": [{ "name": "Kottu" }, {}], "note": "a\u{1b}[2Jb", "qty": 2 });
        assert_eq!(
            lines(&value),
            [
                "├─ items",
                "│  ├─ 0",
                "│  │  └─ name  Kottu",
                "│  └─ 1 {}",
                "├─ note  a\\u{1b}[2Jb",
                "└─ qty  2",
            ]
        );
    }
}
