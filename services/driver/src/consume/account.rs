use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Cause, Decoded, Failure, Recorder};
use tiffin_chassis::idempotency;
use tiffin_events::{
    Role, UserId,
    driver::DriverEvent,
    user::{UserEvent, UserProfileV1},
};

use crate::{
    State,
    driver::Driver,
    error::{Error, Refusal},
    store::{accounts, applications, drivers, pending_accounts, positions},
};

impl AggregateHandler<UserEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, UserEvent>],
    ) -> Result<(), Failure> {
        for (received, event) in events {
            if let UserEvent::Deleted(account) = event {
                // Before the e-mail address is erased, because it is the owner of the keys.
                delete_kept_answers(tx, account.user_id).await?;
            }
            project(tx, event).await?;
            let cause = Cause::event(&received.envelope);
            update_driver(tx, &self.recorder, &cause, event).await?;
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

/// Finishes a sign-up whose account has come. A blocked or closed account takes no deliveries; after a block it does
/// again if it did before.
async fn update_driver(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    event: &UserEvent,
) -> Result<(), Error> {
    match event {
        UserEvent::Registered(account) if account.role == Role::Delivery => {
            pending_accounts::delete(tx, account.user_id).await?;
            finish(tx, recorder, cause, account).await
        }
        UserEvent::Blocked(block) => {
            change(tx, recorder, cause, block.user.user_id, Driver::block).await
        }
        UserEvent::Unblocked(account) => {
            change(tx, recorder, cause, account.user_id, Driver::unblock).await
        }
        UserEvent::Deleted(account) => {
            change(
                tx,
                recorder,
                cause,
                account.user_id,
                Driver::make_unavailable,
            )
            .await?;
            pending_accounts::delete(tx, account.user_id).await?;
            drivers::erase_nic(tx, account.user_id).await?;
            positions::delete(tx, account.user_id).await?;
            Ok(applications::delete(tx, account.user_id).await?)
        }
        UserEvent::Registered(_)
        | UserEvent::Updated(_)
        | UserEvent::Verified(_)
        | UserEvent::PasswordChanged(_) => Ok(()),
    }
}

/// Saves the account of a driver, or erases it.
async fn project(tx: &mut PgConnection, event: &UserEvent) -> sqlx::Result<()> {
    match event {
        UserEvent::Registered(account) | UserEvent::Updated(account)
            if account.role == Role::Delivery =>
        {
            accounts::save(tx, account).await
        }
        UserEvent::Blocked(block) => accounts::set_blocked(tx, block.user.user_id, true).await,
        UserEvent::Unblocked(account) => accounts::set_blocked(tx, account.user_id, false).await,
        UserEvent::Deleted(account) if account.role == Role::Delivery => {
            accounts::erase(tx, account.user_id).await
        }
        UserEvent::Registered(_)
        | UserEvent::Updated(_)
        | UserEvent::Deleted(_)
        | UserEvent::Verified(_)
        | UserEvent::PasswordChanged(_) => Ok(()),
    }
}

/// Deletes the answers kept for the idempotency keys of a sign-up.
async fn delete_kept_answers(tx: &mut PgConnection, id: UserId) -> sqlx::Result<()> {
    if let Some(account) = accounts::find(tx, id).await? {
        idempotency::forget(tx, applications::owner_of_key(&account.email)).await?;
    }
    Ok(())
}

/// Creates the driver of a sign-up that stopped after its account was opened.
async fn finish(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    account: &UserProfileV1,
) -> Result<(), Error> {
    let clock = &recorder.clock;
    let Some(form) = applications::find(tx, account.user_id).await? else {
        return Ok(());
    };
    let driver = Driver::register(form.id, form.vehicle_type, form.dr_nic, clock.now());
    drivers::register(tx, recorder, cause, driver).await?;
    applications::close(tx, form.id).await?;
    Ok(())
}

/// Changes the driver of an account, if it is a driver's.
async fn change(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    id: UserId,
    transition: fn(&mut Driver) -> Vec<DriverEvent>,
) -> Result<(), Error> {
    match tiffin_bus::change(tx, recorder, cause, id, |driver: &mut Driver| {
        Ok(transition(driver))
    })
    .await
    {
        // The account is not a driver's.
        Ok(_) | Err(Error::Refused(Refusal::Unknown)) => Ok(()),
        Err(error) => Err(error),
    }
}
