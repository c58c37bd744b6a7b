//! Operators of the event history: a right apart from the role.

use sqlx::{PgConnection, PgPool};
use tiffin_bus::{Outgoing, outbox};
use tiffin_events::{Clock, UserId};
use time::OffsetDateTime;

use crate::{
    Error,
    store::{self, operators, second_factors, sessions},
    user::{Refusal, User},
};

/// Makes the account of an e-mail address an operator; its next token says so.
pub async fn grant(pool: &PgPool, clock: &Clock, email: &str) -> Result<User, Error> {
    let mut tx = tiffin_database::begin(pool).await?;
    let user = by_email(&mut tx, email).await?;
    operators::insert(&mut tx, clock.now(), user.id).await?;
    tx.commit().await?;
    Ok(user)
}

/// Takes the right away. Tokens from before end at once.
pub async fn revoke(pool: &PgPool, clock: &Clock, email: &str) -> Result<User, Error> {
    let mut tx = tiffin_database::begin(pool).await?;
    let user = by_email(&mut tx, email).await?;
    operators::delete(&mut tx, user.id).await?;
    end_tokens(&mut tx, clock, user.id, clock.now()).await?;
    tx.commit().await?;
    Ok(user)
}

/// Takes a second factor away from who has lost the app and the recovery codes. All sessions end; who
/// must have one sets up another.
pub async fn reset_second_factor(pool: &PgPool, clock: &Clock, email: &str) -> Result<User, Error> {
    let mut tx = tiffin_database::begin(pool).await?;
    let user = by_email(&mut tx, email).await?;
    second_factors::delete(&mut tx, user.id).await?;
    let now = clock.now();
    sessions::end_all(&mut tx, now, user.id, None).await?;
    end_tokens(&mut tx, clock, user.id, now).await?;
    tx.commit().await?;
    Ok(user)
}

/// Has all services refuse tokens that were issued up to then.
pub(crate) async fn end_tokens(
    tx: &mut PgConnection,
    clock: &Clock,
    id: UserId,
    at: OffsetDateTime,
) -> Result<(), Error> {
    Ok(outbox::append(tx, &[Outgoing::revocation(clock, id, at)?]).await?)
}

/// A sign-up that waits for its code may be a stranger's: it has no right to give or take.
async fn by_email(tx: &mut PgConnection, email: &str) -> Result<User, Error> {
    let email = email.trim().to_ascii_lowercase();
    let user = store::find_by_email(tx, &email).await?;
    Ok(user.filter(|user| user.verified).ok_or(Refusal::Unknown)?)
}
