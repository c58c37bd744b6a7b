use sqlx::PgConnection;
use tiffin_chassis::idempotency;
use tiffin_events::user::UserEvent;

use crate::store::people;

pub async fn learn(tx: &mut PgConnection, event: UserEvent) -> sqlx::Result<()> {
    match event {
        UserEvent::Registered(person) | UserEvent::Updated(person) => {
            people::keep(tx, &person).await
        }
        UserEvent::Blocked(person) => people::set_blocked(tx, person.user_id, true).await,
        UserEvent::Unblocked(person) => people::set_blocked(tx, person.user_id, false).await,
        UserEvent::Deleted(person) => {
            // The answers that are kept for their keys name them.
            idempotency::forget(tx, person.user_id).await?;
            people::forget(tx, person.user_id).await
        }
        UserEvent::Verified(_) | UserEvent::PasswordChanged(_) => Ok(()),
    }
}
