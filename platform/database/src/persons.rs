//! Locks of persons: no row about a person is written while their data is erased.

use sqlx::PgConnection;
use uuid::Uuid;

/// Delays the erasure of these persons' data until the transaction ends. Waits for an erasure that has begun, so that
/// later statements see the closed account.
pub async fn keep_from_erasure(tx: &mut PgConnection, persons: &[Uuid]) -> sqlx::Result<()> {
    let mut persons = persons.to_vec();
    persons.sort_unstable();
    persons.dedup();
    sqlx::query(
        "select pg_advisory_xact_lock_shared(hashtextextended(id::text, 68)) from unnest($1::uuid[]) as id",
    )
    .bind(persons)
    .execute(tx)
    .await?;
    Ok(())
}

/// Waits for transactions that write about a person, and delays new ones until this one ends.
pub async fn lock_for_erasure(tx: &mut PgConnection, person: Uuid) -> sqlx::Result<()> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended($1::uuid::text, 68))")
        .bind(person)
        .execute(tx)
        .await?;
    Ok(())
}
