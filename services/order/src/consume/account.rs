use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_chassis::idempotency;
use tiffin_events::user::UserEvent;

use crate::{
    State,
    store::{accounts, checkouts, orders},
};

/// Saves the data of an account, or erases it.
impl AggregateHandler<UserEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, UserEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            if let UserEvent::Deleted(account) = event {
                // The answers kept for idempotency keys name the account.
                idempotency::forget(tx, account.user_id).await?;
                // First: an order that is placed meanwhile is seen afterwards, and erased.
                checkouts::close(tx, account.user_id).await?;
                orders::forget_personal(tx, account.user_id).await?;
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
                UserEvent::Registered(account) | UserEvent::Updated(account) => {
                    accounts::save(tx, account).await
                }
                UserEvent::Blocked(account) => {
                    accounts::set_blocked(tx, account.user.user_id, true).await
                }
                UserEvent::Unblocked(account) => {
                    accounts::set_blocked(tx, account.user_id, false).await
                }
                UserEvent::Deleted(account) => accounts::erase(tx, account.user_id).await,
                UserEvent::Verified(_) | UserEvent::PasswordChanged(_) => Ok(()),
            }?;
        }
        Ok(())
    }
}
