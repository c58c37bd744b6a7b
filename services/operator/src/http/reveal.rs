use tiffin_chassis::{Caller, Problem};

use super::check_reason;
use crate::State;

/// Records the reveal of personal fields: the operator, the target and the reason.
pub(super) async fn record(
    state: &State,
    caller: &Caller,
    target: String,
    reason: &str,
) -> Result<(), Problem> {
    let reason = check_reason(reason)?;
    let operation = state.operation(caller, "reveal", target, reason);
    Ok(super::record(state, caller, &operation).await?)
}
