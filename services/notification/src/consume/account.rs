use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_chassis::idempotency;
use tiffin_events::user::UserEvent;

use crate::{
    State,
    store::{self, accounts, occasions, preferences, subscriptions},
};

/// Saves an account's data, or erases it with its preferences.
impl AggregateHandler<UserEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, UserEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            if let UserEvent::Deleted(user) = event {
                tiffin_database::lock_for_erasure(tx, user.user_id.0).await?;
                preferences::delete(tx, user.user_id).await?;
                occasions::delete(tx, user.user_id).await?;
                store::forget_texts(tx, user.user_id).await?;
                subscriptions::delete(tx, &self.recorder, user.user_id).await?;
                // The answers kept for idempotency keys show what the account did.
                idempotency::forget(tx, user.user_id).await?;
            }
        }
        self.project(tx, events).await?;
        self.wake();
        Ok(())
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
                UserEvent::Blocked(block) => {
                    accounts::set_blocked(tx, block.user.user_id, true).await
                }
                UserEvent::Unblocked(user) => accounts::set_blocked(tx, user.user_id, false).await,
                UserEvent::Deleted(user) => accounts::erase(tx, user).await,
                UserEvent::Verified(_) | UserEvent::PasswordChanged(_) => Ok(()),
            }?;
        }
        Ok(())
    }
}
