use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Cause, Decoded, Failure, Recorder};
use tiffin_chassis::idempotency;
use tiffin_events::{UserId, user::UserEvent};

use crate::{
    State,
    error::{Error, Refusal},
    restaurant::{Restaurant, Transition},
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
            open_or_close(tx, &self.recorder, &cause, event).await?;
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

/// Closes the restaurants of a blocked or closed account, and opens those that a block closed when it ends.
async fn open_or_close(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    event: &UserEvent,
) -> Result<(), Error> {
    match event {
        UserEvent::Blocked(block) => {
            let owner = block.user.user_id;
            change_all(tx, recorder, cause, owner, Restaurant::close_for_block).await
        }
        UserEvent::Unblocked(account) => {
            let owner = account.user_id;
            change_all(tx, recorder, cause, owner, Restaurant::reopen_after_block).await
        }
        UserEvent::Deleted(account) => {
            // The answers kept for idempotency keys name the account.
            idempotency::forget(tx, account.user_id).await?;
            restaurants::forget_phones(tx, account.user_id).await?;
            change_all(tx, recorder, cause, account.user_id, Restaurant::close).await
        }
        UserEvent::Registered(_)
        | UserEvent::Updated(_)
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
        UserEvent::Blocked(block) => accounts::set_blocked(tx, block.user.user_id, true).await,
        UserEvent::Unblocked(account) => accounts::set_blocked(tx, account.user_id, false).await,
        UserEvent::Deleted(account) => accounts::erase(tx, account.user_id).await,
        UserEvent::Verified(_) | UserEvent::PasswordChanged(_) => Ok(()),
    }
}

/// Changes all restaurants of an owner.
async fn change_all(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    owner: UserId,
    transition: fn(&mut Restaurant) -> Transition,
) -> Result<(), Error> {
    for id in restaurants::owned_by(tx, owner).await? {
        match tiffin_bus::change(tx, recorder, cause, id, transition).await {
            // It was deleted meanwhile.
            Ok(_) | Err(Error::Refused(Refusal::NoRestaurant)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
