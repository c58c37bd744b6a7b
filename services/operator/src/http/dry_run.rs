//! Dry runs: the result that a replay to a consumer would have.

use serde::Serialize;
use serde_json::Value;
use tiffin_bus::history::{Answer, Changes, Command, RowChange, Selection};
use tiffin_chassis::{Caller, Problem};
use tiffin_events::Stream;
use utoipa::ToSchema;

use super::reveal;
use crate::{
    State,
    error::Refusal,
    mask,
    services::{self, ReplayConsumer},
};

/// The changes that a replay would make.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DryRun {
    matched: u64,
    /// The number of them that the consumer has handled already.
    skipped: i64,
    /// The number of them that would fail.
    failed: i64,
    /// The number of rows that would change.
    rows: i64,
    /// The first of these rows, before and after.
    changes: Vec<RowView>,
    failures: Vec<String>,
}

/// A row that would change. Personal fields are masked unless they are asked for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RowView {
    table: String,
    /// Null if the row does not exist yet.
    #[schema(value_type = Option<Object>)]
    before: Option<Value>,
    /// Null if the row would be deleted.
    #[schema(value_type = Option<Object>)]
    after: Option<Value>,
    /// The fields that differ, masked ones included.
    changed: Vec<String>,
}

impl RowView {
    fn new(change: RowChange, is_masked: bool) -> Self {
        let RowChange {
            table,
            mut before,
            mut after,
        } = change;
        let changed = differing_fields(before.as_ref(), after.as_ref());
        if is_masked {
            let sides = [&mut before, &mut after];
            sides.into_iter().flatten().for_each(mask::fields);
        }
        Self {
            table,
            before,
            after,
            changed,
        }
    }
}

/// The names of the fields in which two rows differ.
fn differing_fields(before: Option<&Value>, after: Option<&Value>) -> Vec<String> {
    let sides = [before, after];
    let fields = sides.into_iter().flatten().filter_map(Value::as_object);
    let mut names: Vec<String> = fields
        .flat_map(|fields| fields.keys().cloned())
        .filter(|name| before.and_then(|row| row.get(name)) != after.and_then(|row| row.get(name)))
        .collect();
    names.sort();
    names.dedup();
    names
}

impl DryRun {
    /// The result of a dry run that changes no rows.
    pub(super) fn only(matched: u64) -> Self {
        Self {
            matched,
            ..Self::new(Changes::default(), true)
        }
    }

    fn new(changes: Changes, is_masked: bool) -> Self {
        let rows = changes.changes.into_iter();
        Self {
            matched: u64::try_from(changes.matched).unwrap_or_default(),
            skipped: changes.skipped,
            failed: changes.failed,
            rows: changes.rows,
            changes: rows.map(|row| RowView::new(row, is_masked)).collect(),
            failures: changes.failures,
        }
    }
}

/// Asks the consumer's service. With a reason in `reveal`, which is recorded, personal fields are shown.
pub(super) async fn dry_run(
    state: &State,
    caller: &Caller,
    stream: Stream,
    consumer: &ReplayConsumer,
    selection: Selection,
    reveal: Option<&str>,
) -> Result<DryRun, Problem> {
    let ReplayConsumer { name, service, .. } = consumer;
    let target = format!("{name} {stream}/{}-{}", selection.from, selection.to);
    let command = Command::DryRun {
        consumer: name.clone(),
        selection,
    };
    let changes = match services::send(&state.broker, service, &command).await? {
        Answer::Changes(changes) if changes.matched == 0 => {
            return Err(Refusal::NothingMatches.into());
        }
        Answer::Changes(changes) => changes,
        other => return Err(services::unexpected(service, &other).into()),
    };
    if let Some(reason) = reveal {
        reveal::record(state, caller, target, reason).await?;
    }
    Ok(DryRun::new(changes, reveal.is_none()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn view(is_masked: bool) -> RowView {
        let change = RowChange {
            table: "people".to_owned(),
            before: Some(json!({ "id": "1", "first_name": "Nimali", "role": "customer" })),
            after: Some(json!({ "id": "1", "first_name": "Nimal", "role": "customer" })),
        };
        RowView::new(change, is_masked)
    }

    #[test]
    fn a_masked_field_that_differs_is_named_and_not_shown() {
        let masked = view(true);
        let row = json!({ "id": "1", "first_name": "•••", "role": "customer" });
        assert_eq!(masked.changed, ["first_name"]);
        assert_eq!(
            (&masked.before, &masked.after),
            (&Some(row.clone()), &Some(row))
        );
        let shown = view(false);
        assert_eq!(shown.changed, ["first_name"]);
        assert_eq!(shown.after.unwrap_or_default()["first_name"], "Nimal");
    }

    #[test]
    fn a_row_that_comes_or_goes_differs_in_every_field() {
        let row = json!({ "id": "1", "role": "customer" });
        assert_eq!(differing_fields(None, Some(&row)), ["id", "role"]);
        assert_eq!(differing_fields(Some(&row), None), ["id", "role"]);
    }
}
