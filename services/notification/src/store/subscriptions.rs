//! The browsers that are subscribed to push.

use sqlx::PgConnection;
use tiffin_bus::Recorder;
use tiffin_events::UserId;
use uuid::Uuid;

use super::pushes;
use crate::{Error, push::Browser};

/// The largest number of browsers of one user. A further one replaces the oldest.
const MAX_BROWSERS: i64 = 10;

/// Saves a browser for its user, who may be another one than before. False if it was this user's already.
pub async fn save(
    tx: &mut PgConnection,
    recorder: &Recorder,
    user: UserId,
    browser: &Browser,
) -> Result<bool, Error> {
    let clock = &recorder.clock;
    let known = sqlx::query_scalar!(
        "select user_id from subscriptions where endpoint = $1 for update",
        browser.endpoint,
    );
    let known = known.fetch_optional(&mut *tx).await?;
    sqlx::query!(
        "insert into subscriptions (id, user_id, endpoint, p256dh, auth, created_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (endpoint) do update set user_id = $2, p256dh = $4, auth = $5",
        clock.new_id(),
        user.0,
        browser.endpoint,
        browser.p256dh,
        browser.auth,
        clock.now(),
    )
    .execute(&mut *tx)
    .await?;
    let superfluous = sqlx::query_scalar!(
        "select id from subscriptions where user_id = $1 order by id desc offset $2",
        user.0,
        MAX_BROWSERS,
    );
    for id in superfluous.fetch_all(&mut *tx).await? {
        remove(tx, recorder, id).await?;
    }
    Ok(known != Some(user.0))
}

/// The browser of an endpoint, if it is the user's.
pub async fn find(
    tx: &mut PgConnection,
    user: UserId,
    endpoint: &str,
) -> Result<Option<Uuid>, Error> {
    let id = sqlx::query_scalar!(
        "select id from subscriptions where user_id = $1 and endpoint = $2 for update",
        user.0,
        endpoint,
    );
    Ok(id.fetch_optional(tx).await?)
}

/// Deletes a browser and the messages that wait for it.
pub async fn remove(tx: &mut PgConnection, recorder: &Recorder, id: Uuid) -> Result<(), Error> {
    pushes::delete_of_subscription(tx, recorder, id).await?;
    sqlx::query!("delete from subscriptions where id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes all browsers of a closed account.
pub async fn delete(tx: &mut PgConnection, recorder: &Recorder, user: UserId) -> Result<(), Error> {
    let ids = sqlx::query_scalar!("select id from subscriptions where user_id = $1", user.0);
    for id in ids.fetch_all(&mut *tx).await? {
        remove(tx, recorder, id).await?;
    }
    Ok(())
}
