use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Cause, Decoded, Failure};
use tiffin_chassis::idempotency;
use tiffin_events::{Clock, UserId, user::UserEvent};

use crate::{
    State,
    error::{Error, Refusal},
    restaurant::Restaurant,
    store::{accounts, restaurants},
};

impl AggregateHandler<UserEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, UserEvent>],
    ) -> Result<(), Failure> {
        for (received, event) in events {
            project(tx, event).await?;
            let cause = Cause::event(&received.envelope);
            close_restaurants(tx, &self.clock, &cause, event).await?;
        }
        Ok(())
    }

    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, UserEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            project(tx, event).await?;
        }
        Ok(())
    }
}

/// Closes the restaurants of a blocked or closed account.
async fn close_restaurants(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    event: &UserEvent,
) -> Result<(), Error> {
    match event {
        UserEvent::Blocked(account) => close_all(tx, clock, cause, account.user_id).await,
        UserEvent::Deleted(account) => {
            // The answers kept for idempotency keys name the account.
            idempotency::forget(tx, account.user_id).await?;
            close_all(tx, clock, cause, account.user_id).await
        }
        UserEvent::Registered(_)
        | UserEvent::Updated(_)
        | UserEvent::Unblocked(_)
        | UserEvent::Verified(_)
        | UserEvent::PasswordChanged(_) => Ok(()),
    }
}

/// Saves an account's data, or erases it.
async fn project(tx: &mut PgConnection, event: &UserEvent) -> sqlx::Result<()> {
    match event {
        UserEvent::Registered(account) | UserEvent::Updated(account) => {
            accounts::save(tx, account).await
        }
        UserEvent::Blocked(account) => accounts::set_blocked(tx, account.user_id, true).await,
        UserEvent::Unblocked(account) => accounts::set_blocked(tx, account.user_id, false).await,
        UserEvent::Deleted(account) => accounts::erase(tx, account.user_id).await,
        UserEvent::Verified(_) | UserEvent::PasswordChanged(_) => Ok(()),
    }
}

async fn close_all(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    owner: UserId,
) -> Result<(), Error> {
    for id in restaurants::owned_by(tx, owner).await? {
        match tiffin_bus::change(tx, clock, cause, id, Restaurant::close).await {
            // It was deleted meanwhile.
            Ok(_) | Err(Error::Refused(Refusal::NoRestaurant)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
