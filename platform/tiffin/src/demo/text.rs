use serde_json::Value;

/// A text field of an answer.
pub fn text(row: &Value, name: &str) -> Option<String> {
    row[name].as_str().map(str::to_owned)
}
