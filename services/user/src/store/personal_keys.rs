//! The table `personal_keys`.

use sqlx::{PgConnection, PgPool};
use tiffin_events::UserId;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Error, personal_keys::purpose, reseal::SealedRow};

/// The number of keys that are sealed again at once.
const ROUND: i64 = 500;

/// The key of a person's fields in events.
pub(crate) struct PersonalKey {
    pub id: Uuid,
    /// The account.
    pub person: Uuid,
    /// Sealed; absent once it is destroyed.
    pub secret: Option<Vec<u8>>,
}

/// The keys of these persons, and those of these ids.
pub(crate) async fn find(
    conn: &mut PgConnection,
    persons: &[Uuid],
    ids: &[Uuid],
) -> Result<Vec<PersonalKey>, Error> {
    let keys = sqlx::query_as!(
        PersonalKey,
        "select id, person_id as person, secret from personal_keys
         where person_id = any($1) or id = any($2)",
        persons,
        ids,
    );
    Ok(keys.fetch_all(conn).await?)
}

/// Inserts keys, each with its id and its person, of persons who have none. The one of a closed account is destroyed from the start.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    keys: &[(Uuid, Uuid, Vec<u8>)],
) -> Result<(), Error> {
    let ids: Vec<Uuid> = keys.iter().map(|(id, ..)| *id).collect();
    let persons: Vec<Uuid> = keys.iter().map(|(_, person, _)| *person).collect();
    let secrets: Vec<Vec<u8>> = keys.iter().map(|(.., secret)| secret.clone()).collect();
    sqlx::query!(
        "insert into personal_keys (id, person_id, secret, created_at, destroyed_at)
         select n.id, n.person_id, case when u.id is null then n.secret end, $4::timestamptz,
            case when u.id is not null then $4::timestamptz end
         from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as n (id, person_id, secret)
         left join users as u on u.id = n.person_id and u.deleted
         order by n.person_id
         on conflict (person_id) do nothing",
        &ids,
        &persons,
        &secrets,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Destroys the key of an account that is closed in this transaction. If it has none yet, it never gets one: `id` is
/// then the id of the destroyed one.
pub(crate) async fn destroy(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    id: Uuid,
    person: UserId,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into personal_keys as k (id, person_id, created_at, destroyed_at) values ($1, $2, $3, $3)
         on conflict (person_id) do update set secret = null, destroyed_at = coalesce(k.destroyed_at, $3)",
        id,
        person.0,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Some keys after `after` that another master key than `current` sealed, in the order of their ids.
pub(crate) async fn sealed_by_others(
    pool: &PgPool,
    current: &[u8],
    after: Uuid,
) -> Result<Vec<SealedRow>, Error> {
    let rows = sqlx::query!(
        r#"select id, person_id, secret as "secret!" from personal_keys
         where id > $1 and substring(secret from 2 for 8) <> $2
         order by id limit $3"#,
        after,
        current,
        ROUND,
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let rows = rows.map(|row| SealedRow {
        id: row.id,
        purpose: purpose(row.id, row.person_id),
        sealed: row.secret,
    });
    Ok(rows.collect())
}

/// Saves keys that are sealed again, except those that were destroyed meanwhile; answers their number.
pub(crate) async fn reseal(
    pool: &PgPool,
    ids: &[Uuid],
    before: &[Vec<u8>],
    after: &[Vec<u8>],
) -> Result<u64, Error> {
    let saved = sqlx::query!(
        "update personal_keys as k set secret = n.after
         from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as n (id, before, after)
         where k.id = n.id and k.secret = n.before",
        ids,
        before,
        after,
    );
    Ok(saved.execute(pool).await?.rows_affected())
}
