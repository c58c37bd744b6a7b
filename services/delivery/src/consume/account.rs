use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_chassis::idempotency;
use tiffin_events::{UserId, user::UserEvent};

use crate::{
    State,
    store::{accounts, deliveries, phone_tokens},
};

/// Saves the data of an account, or erases it.
impl AggregateHandler<UserEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, UserEvent>],
    ) -> Result<(), Failure> {
        for (received, event) in events {
            if let UserEvent::Deleted(account) = event {
                // The answers kept for idempotency keys name the account.
                idempotency::forget(tx, account.user_id).await?;
                deliveries::forget_places(tx, account.user_id).await?;
            }
            if let Some(account) = ends_phone_token(event) {
                // One that was made later stays when old events come again.
                phone_tokens::revoke(tx, account, received.envelope.time).await?;
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
                UserEvent::Deleted(account) => accounts::erase(tx, account).await,
                UserEvent::Verified(_) | UserEvent::PasswordChanged(_) => Ok(()),
            }?;
        }
        Ok(())
    }
}

/// The account whose phone's token ends with an event, as its sessions do.
fn ends_phone_token(event: &UserEvent) -> Option<UserId> {
    match event {
        UserEvent::Blocked(account) => Some(account.user.user_id),
        UserEvent::Deleted(account) | UserEvent::PasswordChanged(account) => Some(account.user_id),
        UserEvent::Registered(_)
        | UserEvent::Updated(_)
        | UserEvent::Unblocked(_)
        | UserEvent::Verified(_) => None,
    }
}
