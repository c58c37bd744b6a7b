use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::user::UserEvent;

use crate::{State, store::accounts};

/// Saves the names that invoices and lists show, or erases them.
impl AggregateHandler<UserEvent> for State {
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, UserEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            match event {
                UserEvent::Registered(account) | UserEvent::Updated(account) => {
                    accounts::save(tx, account).await
                }
                UserEvent::Deleted(account) => accounts::erase(tx, account.user_id).await,
                UserEvent::Verified(_)
                | UserEvent::Blocked(_)
                | UserEvent::Unblocked(_)
                | UserEvent::PasswordChanged(_) => Ok(()),
            }?;
        }
        Ok(())
    }
}
