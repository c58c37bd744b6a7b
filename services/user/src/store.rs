//! The table `users`, and a module for each other table. [`tiffin_bus::change`] changes accounts, with their events.

pub(crate) mod codes;
pub(crate) mod copies;
pub(crate) mod erasures;
pub(crate) mod geocodes;
pub(crate) mod inquiries;
pub(crate) mod known_devices;
pub(crate) mod mails;
pub(crate) mod operators;
pub(crate) mod orders;
pub(crate) mod outbox;
pub(crate) mod password_requests;
pub(crate) mod password_resets;
pub(crate) mod pending_sign_ins;
pub(crate) mod personal;
pub(crate) mod personal_keys;
pub(crate) mod recovery_codes;
pub(crate) mod second_factors;
pub(crate) mod sessions;
pub(crate) mod signing_keys;
pub(crate) mod user_list;

use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Cause, Change, Outgoing, Recorder, StoredAggregate};
use tiffin_events::{
    Coordinates, UserId,
    user::{BlockReason, UserEvent},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    Error,
    user::{Profile, Refusal, User},
};

/// Opens an account with the event about it.
pub(crate) async fn insert(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    user: &User,
    event: UserEvent,
) -> Result<(), Error> {
    let clock = &recorder.clock;
    let profile = &user.profile;
    sqlx::query!(
        "insert into users (id, version, email, password_hash, role, first_name, last_name, phone, address,
            image, lat, lng, verified, blocked, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        user.id.0,
        user.sequence,
        user.email,
        user.password_hash,
        user.role.as_str(),
        profile.first_name,
        profile.last_name,
        profile.phone,
        profile.address,
        profile.image,
        profile.place.map(|place| place.lat),
        profile.place.map(|place| place.lng),
        user.verified,
        user.blocked,
        clock.now(),
    )
    .execute(&mut *tx)
    .await?;
    tiffin_bus::record(tx, recorder, cause, None, user, &[event]).await
}

impl Aggregate for User {
    type Event = UserEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    fn concerned(&self, _event: &UserEvent) -> Vec<UserId> {
        vec![self.id]
    }

    /// The revocation is published beside the events: a full stream of events must keep no token alive.
    async fn ahead_of_events(
        &self,
        _tx: &mut PgConnection,
        change: &Change<'_, Self>,
    ) -> Result<Vec<Outgoing>, Error> {
        if !change.events.iter().any(ends_tokens) {
            return Ok(Vec::new());
        }
        Ok(vec![Outgoing::revocation(
            change.clock,
            self.id,
            change.at,
        )?])
    }
}

impl StoredAggregate for User {
    type Key = UserId;
    type Refusal = Refusal;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.sequence
    }

    async fn lock(tx: &mut PgConnection, id: UserId) -> Result<Self, Error> {
        Ok(lock(tx, id).await?.ok_or(Refusal::Unknown)?)
    }

    async fn save(&self, tx: &mut PgConnection, _before: &Self) -> Result<(), Error> {
        update(tx, self).await
    }
}

/// Locks an address until the transaction ends: signing up with it and proving it exclude each other.
pub(crate) async fn lock_address(tx: &mut PgConnection, email: &str) -> Result<(), Error> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended($1, 0))",
        format!("address:{email}")
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The sign-ups that wait with the address of `user` beyond the first `most`, without `user`: those with a code come
/// first, then the newest.
pub(crate) async fn surplus_sign_ups(
    tx: &mut PgConnection,
    user: &User,
    now: OffsetDateTime,
    most: i64,
) -> Result<Vec<UserId>, Error> {
    let surplus = sqlx::query_scalar!(
        "select u.id from users as u left join codes as c on c.user_id = u.id and c.expires_at > $3
         where u.email = $1 and not u.verified and not u.blocked and u.id <> $2
         order by c.user_id is null, u.created_at desc, u.id desc offset $4",
        user.email,
        user.id.0,
        now,
        most,
    );
    Ok(surplus
        .fetch_all(tx)
        .await?
        .into_iter()
        .map(UserId)
        .collect())
}

/// The other sign-ups that wait with the address of `user`.
pub(crate) async fn other_sign_ups(
    tx: &mut PgConnection,
    user: &User,
) -> Result<Vec<UserId>, Error> {
    let others = sqlx::query_scalar!(
        "select id from users where email = $1 and id <> $2 and not verified order by id",
        user.email,
        user.id.0,
    );
    Ok(others
        .fetch_all(tx)
        .await?
        .into_iter()
        .map(UserId)
        .collect())
}

/// The number of administrators besides `id` who may sign in. The rows stay locked until the transaction
/// ends, so that two can't remove each other at once.
pub(crate) async fn count_other_admins(tx: &mut PgConnection, id: UserId) -> Result<i64, Error> {
    let admins = sqlx::query_scalar!(
        "select id from users where role = 'admin' and not blocked and not deleted order by id for update"
    );
    let others = admins
        .fetch_all(tx)
        .await?
        .into_iter()
        .filter(|admin| *admin != id.0)
        .count();
    Ok(i64::try_from(others).unwrap_or(i64::MAX))
}

/// The account, if it is there and not deleted.
pub(crate) async fn find(tx: &mut PgConnection, id: UserId) -> Result<Option<User>, Error> {
    let row = sqlx::query_as!(
        UserRow,
        r#"select id, version, coalesce(email, '') as "email!", password_hash, role, first_name, last_name, phone,
            address, image, lat, lng, verified, blocked, block_reason, deleted
         from users where id = $1 and not deleted"#,
        id.0,
    );
    row.fetch_optional(tx)
        .await?
        .map(User::try_from)
        .transpose()
}

/// The account of an e-mail address, which must be in lower case: the verified one, else a blocked one, else the
/// newest.
pub(crate) async fn find_by_email(
    tx: &mut PgConnection,
    email: &str,
) -> Result<Option<User>, Error> {
    Ok(list_by_email(tx, email).await?.into_iter().next())
}

/// All accounts with an e-mail address, which must be in lower case: one that is verified, or those that
/// wait to be, the blocked and the newest first.
pub(crate) async fn list_by_email(tx: &mut PgConnection, email: &str) -> Result<Vec<User>, Error> {
    let rows = sqlx::query_as!(
        UserRow,
        r#"select id, version, coalesce(email, '') as "email!", password_hash, role, first_name, last_name, phone,
            address, image, lat, lng, verified, blocked, block_reason, deleted
         from users where email = $1
         order by verified desc, blocked desc, created_at desc, id desc"#,
        email,
    );
    let rows = rows.fetch_all(tx).await?;
    rows.into_iter().map(User::try_from).collect()
}

/// The account, locked against changes until the transaction ends. A token signed meanwhile is older than any
/// block, removal or change of password that ends tokens: it ends too.
pub(crate) async fn lock_shared(tx: &mut PgConnection, id: UserId) -> Result<Option<User>, Error> {
    let row = sqlx::query_as!(
        UserRow,
        r#"select id, version, coalesce(email, '') as "email!", password_hash, role, first_name, last_name, phone,
            address, image, lat, lng, verified, blocked, block_reason, deleted
         from users where id = $1 and not deleted for share"#,
        id.0,
    );
    row.fetch_optional(tx)
        .await?
        .map(User::try_from)
        .transpose()
}

async fn lock(tx: &mut PgConnection, id: UserId) -> Result<Option<User>, Error> {
    let row = sqlx::query_as!(
        UserRow,
        r#"select id, version, coalesce(email, '') as "email!", password_hash, role, first_name, last_name, phone,
            address, image, lat, lng, verified, blocked, block_reason, deleted
         from users where id = $1 for update"#,
        id.0,
    );
    row.fetch_optional(tx)
        .await?
        .map(User::try_from)
        .transpose()
}

async fn update(tx: &mut PgConnection, user: &User) -> Result<(), Error> {
    let profile = &user.profile;
    sqlx::query!(
        "update users set version = $2, email = nullif($3, ''), password_hash = $4, first_name = $5, last_name = $6,
            phone = $7, address = $8, image = $9, lat = $10, lng = $11, verified = $12, blocked = $13, deleted = $14,
            block_reason = $15
         where id = $1",
        user.id.0,
        user.sequence,
        user.email,
        user.password_hash,
        profile.first_name,
        profile.last_name,
        profile.phone,
        profile.address,
        profile.image,
        profile.place.map(|place| place.lat),
        profile.place.map(|place| place.lng),
        user.verified,
        user.blocked,
        user.deleted,
        user.block_reason.map(BlockReason::as_str),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// True if tokens from before the event are refused.
fn ends_tokens(event: &UserEvent) -> bool {
    matches!(
        event,
        UserEvent::Blocked(_) | UserEvent::Deleted(_) | UserEvent::PasswordChanged(_)
    )
}

struct UserRow {
    id: Uuid,
    version: i64,
    email: String,
    password_hash: String,
    role: String,
    first_name: String,
    last_name: String,
    phone: String,
    address: String,
    image: Option<String>,
    lat: Option<f64>,
    lng: Option<f64>,
    verified: bool,
    blocked: bool,
    block_reason: Option<String>,
    deleted: bool,
}

impl TryFrom<UserRow> for User {
    type Error = Error;

    fn try_from(row: UserRow) -> Result<Self, Error> {
        Ok(Self {
            id: UserId(row.id),
            sequence: row.version,
            email: row.email,
            password_hash: row.password_hash,
            role: row
                .role
                .parse()
                .map_err(|error: tiffin_events::role::UnknownRole| {
                    Error::Unreadable(error.to_string())
                })?,
            profile: Profile {
                first_name: row.first_name,
                last_name: row.last_name,
                phone: row.phone,
                address: row.address,
                image: row.image,
                place: row
                    .lat
                    .zip(row.lng)
                    .map(|(lat, lng)| Coordinates { lat, lng }),
            },
            verified: row.verified,
            blocked: row.blocked,
            block_reason: row.block_reason.as_deref().and_then(BlockReason::parse),
            deleted: row.deleted,
        })
    }
}

/// The hash of a random secret that a browser or a mail holds; the database has nothing else of it.
fn hash_of_secret(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}
