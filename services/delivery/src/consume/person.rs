use sqlx::PgConnection;
use tiffin_bus::{Decoded, Failure, Handle};
use tiffin_chassis::idempotency;
use tiffin_events::user::UserEvent;

use crate::{State, store::people};

/// Keeps an account's data, or erases it.
impl Handle<UserEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, UserEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            if let UserEvent::Deleted(person) = event {
                // The answers that are kept for their keys are about their work.
                idempotency::forget(tx, person.user_id).await?;
            }
        }
        self.project(tx, events).await
    }

    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, UserEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            match event {
                UserEvent::Registered(person) | UserEvent::Updated(person) => {
                    people::keep(tx, person).await
                }
                UserEvent::Blocked(person) => people::set_blocked(tx, person.user_id, true).await,
                UserEvent::Unblocked(person) => {
                    people::set_blocked(tx, person.user_id, false).await
                }
                UserEvent::Deleted(person) => people::forget(tx, person).await,
                UserEvent::Verified(_) | UserEvent::PasswordChanged(_) => Ok(()),
            }?;
        }
        Ok(())
    }
}
