//! Ends tokens in this process when the user service says so.

use std::time::Duration;

use tiffin_bus::{Broker, tail};
use tiffin_chassis::Revocations;
use tiffin_events::{Clock, Envelope, Event, Stream, subject, user::UserEvent};
use tokio_util::sync::CancellationToken;

/// A token's life: older events end nothing that has not ended by itself.
const TOKEN_LIFE: Duration = Duration::from_mins(15);

/// Follows the accounts' events, from a token's life ago on, until `stop`.
pub async fn follow(
    broker: Broker,
    clock: Clock,
    revocations: Revocations,
    stop: CancellationToken,
) {
    let subjects = ["blocked", "deleted", "password_changed"]
        .map(|event| subject::every_event(UserEvent::AGGREGATE, event))
        .to_vec();
    let since = clock.now() - TOKEN_LIFE;
    tail(broker, Stream::Users, subjects, since, stop, |event| {
        end(&revocations, &event);
    })
    .await;
}

fn end(revocations: &Revocations, event: &Envelope) {
    match UserEvent::decode(&event.kind, &event.data) {
        Ok(Some(
            UserEvent::Blocked(user) | UserEvent::Deleted(user) | UserEvent::PasswordChanged(user),
        )) => revocations.revoke(user.user_id, event.time),
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "an account's event can't be read"),
    }
}
