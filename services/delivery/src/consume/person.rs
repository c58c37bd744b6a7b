use sqlx::PgConnection;
use tiffin_chassis::idempotency;
use tiffin_events::user::UserEvent;

use crate::store::people;

/// Keeps an account's data, or erases it.
pub async fn handle(tx: &mut PgConnection, event: UserEvent) -> sqlx::Result<()> {
    if let UserEvent::Deleted(person) = &event {
        // The answers that are kept for their keys are about their work.
        idempotency::forget(tx, person.user_id).await?;
    }
    project(tx, event).await
}

pub async fn project(tx: &mut PgConnection, event: UserEvent) -> sqlx::Result<()> {
    match event {
        UserEvent::Registered(person) | UserEvent::Updated(person) => {
            people::keep(tx, &person).await
        }
        UserEvent::Blocked(person) => people::set_blocked(tx, person.user_id, true).await,
        UserEvent::Unblocked(person) => people::set_blocked(tx, person.user_id, false).await,
        UserEvent::Deleted(person) => people::forget(tx, &person).await,
        UserEvent::Verified(_) | UserEvent::PasswordChanged(_) => Ok(()),
    }
}
