use sqlx::PgConnection;
use tiffin_events::{Clock, user::UserEvent};

use crate::{
    Error,
    store::{people, preferences, subscriptions},
};

/// Keeps who somebody is, or forgets it.
pub(super) async fn learn(
    tx: &mut PgConnection,
    clock: &Clock,
    event: UserEvent,
) -> Result<(), Error> {
    match event {
        UserEvent::Registered(person) | UserEvent::Updated(person) => {
            people::keep(tx, &person).await
        }
        UserEvent::Blocked(user) => people::set_blocked(tx, user.user_id, true).await,
        UserEvent::Unblocked(user) => people::set_blocked(tx, user.user_id, false).await,
        UserEvent::Deleted(user) => {
            preferences::forget(tx, user.user_id).await?;
            subscriptions::forget(tx, clock, user.user_id).await?;
            people::forget(tx, user.user_id).await
        }
        UserEvent::Verified(_) | UserEvent::PasswordChanged(_) => Ok(()),
    }
}
