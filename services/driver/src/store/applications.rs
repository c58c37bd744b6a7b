//! Sign-ups under way. The form is saved before the user service is called, so that the driver is created
//! whichever service fails in between.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tiffin_events::{Clock, UserId, driver::VehicleType};
use time::Duration;
use uuid::Uuid;

use super::drivers;

/// The time that a sign-up without an account is kept.
const KEPT_FOR: Duration = Duration::days(7);

/// A sign-up that is not finished.
#[derive(Clone, Debug, PartialEq)]
pub struct Application {
    pub id: UserId,
    pub vehicle_type: VehicleType,
    pub dr_nic: String,
}

/// Saves a form, or finds it: sent again before it is finished, it has the same id. `is_keyed` means that
/// it came with an idempotency key, under which it always has the same id.
pub async fn open(
    tx: &mut PgConnection,
    clock: &Clock,
    fingerprint: &[u8],
    is_keyed: bool,
    (vehicle_type, dr_nic): (VehicleType, &str),
) -> sqlx::Result<Application> {
    let now = clock.now();
    sqlx::query!(
        "delete from applications where created_at < $1",
        now - KEPT_FOR
    )
    .execute(&mut *tx)
    .await?;
    let row = sqlx::query!(
        "insert into applications (id, fingerprint, keyed, vehicle_type, dr_nic, created_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict on constraint applications_fingerprint_key do update set created_at = excluded.created_at
         returning id",
        clock.new_id(),
        fingerprint,
        is_keyed,
        vehicle_type.as_str(),
        dr_nic,
        now,
    )
    .fetch_one(tx)
    .await?;
    Ok(Application {
        id: UserId(row.id),
        vehicle_type,
        dr_nic: dr_nic.to_owned(),
    })
}

/// The form of an account that has come, if there is one.
pub async fn find(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<Option<Application>> {
    let row = sqlx::query!(
        "select vehicle_type, dr_nic from applications where id = $1",
        id
    )
    .fetch_optional(tx)
    .await?;
    row.map(|row| {
        let vehicle_type = drivers::vehicle_type(&row.vehicle_type)?;
        Ok(Application {
            id: UserId(id),
            vehicle_type,
            dr_nic: row.dr_nic,
        })
    })
    .transpose()
}

/// Deletes a form whose driver is created. One with a key stays, so that a repeated request gets the same answer.
pub async fn close(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<()> {
    sqlx::query!("delete from applications where id = $1 and not keyed", id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes a form whose account is closed.
pub async fn delete(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<()> {
    sqlx::query!("delete from applications where id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}

/// The owner of an idempotency key: before sign-in, that is the e-mail address in the request.
pub fn owner_of_key(email: &str) -> UserId {
    let digest = Sha256::digest(email.trim().to_ascii_lowercase());
    let id = digest
        .iter()
        .take(16)
        .fold(0, |id, byte| (id << 8) | u128::from(*byte));
    UserId(Uuid::from_u128(id))
}
