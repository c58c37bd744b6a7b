use tiffin_chassis::{Caller, Problem};

use super::check_reason;
use crate::{State, store::events::Row};

/// Keeps who looked at somebody's personal fields, and why.
pub(super) async fn note(
    state: &State,
    caller: &Caller,
    row: &Row,
    reason: &str,
) -> Result<(), Problem> {
    let reason = check_reason(reason)?;
    let target = format!("{}/{}", row.stream, row.seq);
    let operation = state.operation(caller, "reveal", target, reason);
    Ok(super::note(state, caller, &operation).await?)
}
