use sqlx::PgConnection;
use tiffin_bus::{Decoded, Failure, Handle};
use tiffin_events::user::UserEvent;

use crate::{State, store::people};

/// Keeps the names that invoices and lists show, or erases them.
impl Handle<UserEvent> for State {
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
                UserEvent::Deleted(person) => people::forget(tx, person.user_id).await,
                UserEvent::Verified(_)
                | UserEvent::Blocked(_)
                | UserEvent::Unblocked(_)
                | UserEvent::PasswordChanged(_) => Ok(()),
            }?;
        }
        Ok(())
    }
}
