//! The second step of a sign-in: a code of an authenticator app (TOTP, RFC 6238: SHA-1, 30 seconds, six
//! digits, one step early or late), or one of ten recovery codes. ASVS 6.3.3, 6.5.1, 6.5.2, 6.5.5.

mod app;
mod mails;
mod recovery;

pub(crate) use app::{AppSecret, purpose, qr_image};
pub(crate) use mails::{Notice, queue_notice};
pub(crate) use recovery::NewRecoveryCodes;

use sqlx::PgConnection;
use tiffin_chassis::{Problem, refusals};
use tiffin_events::UserId;

use crate::{
    Error, State,
    limits::PER_FACTOR,
    store::{recovery_codes, second_factors},
};

/// A code that was verified and not yet redeemed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValidCode {
    /// A step of 30 seconds.
    Step(i64),
    /// A recovery code's number.
    Recovery(i16),
}

/// The source of a code. Wrong codes from one source do not block another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A session of the account.
    Session,
    /// A known browser, by its name in counters.
    Device(String),
    /// Any other; the right password came before.
    Elsewhere,
}

refusals! {
    /// A code that is not good.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum BadCode {
        Missing =
            422, "user.code-required",
            "Please enter the code of your authenticator app.", at "code";
        Wrong = 422, "user.code-wrong", "The code is wrong.", at "code";
        TooMany = 429, "user.too-many-codes", "Too many wrong codes. Please try again later.";
    }
}

/// Verifies a code of an app that is confirmed or is being set up. A wrong one gets 422; wrong ones are counted
/// by account and origin, and too many get 429.
pub(crate) async fn verify(
    state: &State,
    id: UserId,
    code: &str,
    origin: Origin,
) -> Result<ValidCode, Problem> {
    let key = match origin {
        Origin::Session => format!("factor:{id}:session"),
        Origin::Device(device) => format!("factor:{id}:{device}"),
        Origin::Elsewhere => format!("factor:{id}"),
    };
    if let Some(wait) = state.limits.take(&key, PER_FACTOR).await? {
        return Err(Problem::from(BadCode::TooMany).retry_after(wait.unsigned_abs()));
    }
    let valid = find_valid(state, id, code).await?.ok_or(BadCode::Wrong)?;
    state.limits.give_back(&key).await?;
    Ok(valid)
}

async fn find_valid(state: &State, id: UserId, code: &str) -> Result<Option<ValidCode>, Error> {
    let code: String = code
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '-')
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let mut conn = state.pool.acquire().await?;
    let Some(factor) = second_factors::find(&mut conn, id).await? else {
        return Ok(None);
    };
    if app::is_code(&code) {
        let secret = AppSecret::open(&state.seal, id, &factor.secret)?;
        let step = secret.step_of(&code, state.clock.now());
        return Ok(step
            .filter(|step| *step > factor.last_step)
            .map(ValidCode::Step));
    }
    let Some(number) = recovery::number(&code) else {
        return Ok(None);
    };
    let hash = recovery_codes::find_hash(&mut conn, id, number).await?;
    drop(conn);
    let right = match hash {
        Some(hash) if factor.is_confirmed => state.passwords.verify(&code, Some(hash)).await?,
        _ => false,
    };
    Ok(right.then_some(ValidCode::Recovery(number)))
}

/// Redeems a valid code; 422 where another request was first.
pub(crate) async fn redeem(
    tx: &mut PgConnection,
    state: &State,
    id: UserId,
    code: ValidCode,
) -> Result<(), Problem> {
    let was_first = match code {
        ValidCode::Step(step) => second_factors::redeem_step(tx, id, step).await?,
        ValidCode::Recovery(number) => {
            recovery_codes::redeem(tx, id, number, state.clock.now()).await?
        }
    };
    if was_first {
        Ok(())
    } else {
        Err(BadCode::Wrong.into())
    }
}
