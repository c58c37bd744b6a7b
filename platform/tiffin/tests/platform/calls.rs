//! Every call of the specification's section 7, as its clients make them, and what they read of the
//! answers. `list.txt` names the calls.

mod back_office;
mod customer;

use serde_json::Value;

/// Asserts that an answer, or the first entry of a list, has every field that a client reads.
#[track_caller]
fn has(answer: &Value, fields: &[&str]) {
    let thing = answer.as_array().map_or(answer, |list| &list[0]);
    for field in fields {
        assert!(thing.get(field).is_some(), "no {field} in {thing}");
    }
}
