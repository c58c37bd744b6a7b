//! The proof that reading or closing one's whole account asks for.

use tiffin_chassis::{Caller, Problem, token::FRESH_FOR};

use crate::{
    State,
    store::{self, second_factors},
};

/// 401 unless the password or a code was shown within the last five minutes. An account that has neither,
/// by Google alone, has to have signed in within them.
pub(super) async fn require_proof(state: &State, caller: &Caller) -> Result<(), Problem> {
    let now = state.clock.now();
    let Err(too_old) = caller.require_fresh(now) else {
        return Ok(());
    };
    let mut conn = state.pool.acquire().await?;
    let user = store::find(&mut conn, caller.id).await?;
    let has_password = user.is_some_and(|user| user.password().is_some());
    let has_nothing_to_show = !has_password && !second_factors::is_on(&mut conn, caller.id).await?;
    let came_now = caller.proof.at.is_some_and(|at| now - at <= FRESH_FOR);
    if has_nothing_to_show && came_now {
        return Ok(());
    }
    Err(too_old)
}
