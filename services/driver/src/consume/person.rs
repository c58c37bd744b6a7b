use sqlx::PgConnection;
use tiffin_bus::Cause;
use tiffin_chassis::idempotency;
use tiffin_events::{
    Clock, Role, UserId,
    user::{UserEvent, UserProfileV1},
};

use crate::{
    driver::Driver,
    error::{Error, Refusal},
    store::{applications, drivers, people, positions},
};

/// Drivers' accounts are kept, and a sign-up whose account came is done. Whoever is blocked or gone
/// takes no deliveries.
pub async fn learn(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    event: UserEvent,
) -> Result<(), Error> {
    match event {
        UserEvent::Registered(person) if person.role == Role::Delivery => {
            people::keep(tx, &person).await?;
            finish(tx, clock, cause, &person).await?;
        }
        UserEvent::Updated(person) if person.role == Role::Delivery => {
            people::keep(tx, &person).await?;
        }
        UserEvent::Blocked(person) => {
            people::set_blocked(tx, person.user_id, true).await?;
            shut_out(tx, clock, cause, person.user_id).await?;
        }
        UserEvent::Unblocked(person) => people::set_blocked(tx, person.user_id, false).await?,
        UserEvent::Deleted(person) => {
            if let Some(account) = people::find(tx, person.user_id).await? {
                idempotency::forget(tx, applications::owner_of_key(&account.email)).await?;
            }
            people::forget(tx, person.user_id).await?;
            shut_out(tx, clock, cause, person.user_id).await?;
            drivers::forget_nic(tx, person.user_id).await?;
            positions::forget(tx, person.user_id).await?;
            applications::forget(tx, person.user_id).await?;
        }
        UserEvent::Registered(_)
        | UserEvent::Updated(_)
        | UserEvent::Verified(_)
        | UserEvent::PasswordChanged(_) => {}
    }
    Ok(())
}

/// Makes the driver of a sign-up that got no further than its account.
async fn finish(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    person: &UserProfileV1,
) -> Result<(), Error> {
    let Some(form) = applications::find(tx, person.user_id).await? else {
        return Ok(());
    };
    let driver = Driver::register(form.id, form.vehicle_type, form.dr_nic, clock.now());
    drivers::register(tx, clock, cause, driver).await?;
    applications::close(tx, form.id).await?;
    Ok(())
}

async fn shut_out(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    id: UserId,
) -> Result<(), Error> {
    match drivers::change(tx, clock, cause, id, |driver| Ok(driver.shut_out())).await {
        // Somebody who drives nothing.
        Ok(_) | Err(Error::Refused(Refusal::Unknown)) => Ok(()),
        Err(error) => Err(error),
    }
}
