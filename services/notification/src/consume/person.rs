use sqlx::PgConnection;
use tiffin_chassis::idempotency;
use tiffin_events::{Clock, user::UserEvent};

use crate::{
    Error,
    store::{occasions, people, preferences, subscriptions},
};

/// Saves an account's data, or erases it with its preferences.
pub(super) async fn handle(
    tx: &mut PgConnection,
    clock: &Clock,
    event: UserEvent,
) -> Result<(), Error> {
    if let UserEvent::Deleted(user) = &event {
        preferences::forget(tx, user.user_id).await?;
        occasions::forget(tx, user.user_id).await?;
        subscriptions::forget(tx, clock, user.user_id).await?;
        // The answers kept for idempotency keys show what the account did.
        idempotency::forget(tx, user.user_id).await?;
    }
    project(tx, event).await
}

pub(super) async fn project(tx: &mut PgConnection, event: UserEvent) -> Result<(), Error> {
    match event {
        UserEvent::Registered(person) | UserEvent::Updated(person) => {
            people::keep(tx, &person).await
        }
        UserEvent::Blocked(user) => people::set_blocked(tx, user.user_id, true).await,
        UserEvent::Unblocked(user) => people::set_blocked(tx, user.user_id, false).await,
        UserEvent::Deleted(user) => people::forget(tx, &user).await,
        UserEvent::Verified(_) | UserEvent::PasswordChanged(_) => Ok(()),
    }
}
