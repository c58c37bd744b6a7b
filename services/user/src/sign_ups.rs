//! Sign-ups with an address that is yet to be proven. Several may wait with one address, each an account
//! with its own password, name and code; the one whose code is typed keeps the address, and the others
//! end. So an address can't be taken by signing up with it first (pre-hijacking).
//!
//! All hashes of one address share a salt while they wait: a sign-in costs one hash, however many wait.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tiffin_bus::Cause;
use tiffin_chassis::{idempotency, telemetry};
use tiffin_events::{Clock, Role, UserId};
use uuid::Uuid;

use crate::{
    Error, codes, erasure, operators,
    passwords::Turn,
    resets, sessions, store,
    user::{NewUser, Profile, Refusal, User},
};

/// Sign-ups that wait with one address; another one ends the oldest, those with a code last.
const MOST: i64 = 20;

/// A form that was filled in well.
pub(crate) struct Applicant {
    pub email: String,
    pub password: String,
    pub profile: Profile,
}

impl Applicant {
    /// An account whose e-mail address is yet to be proven.
    pub fn into_user(self, id: UserId, role: Role, password_hash: String) -> NewUser {
        NewUser {
            id,
            email: self.email,
            password_hash,
            role,
            profile: self.profile,
            verified: false,
        }
    }
}

/// Holds an address until the transaction ends: who signs up with it and who proves it take turns.
pub(crate) async fn hold(tx: &mut PgConnection, email: &str) -> Result<(), Error> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended($1, 0))",
        format!("address:{email}")
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A sign-up that was opened, and the accounts that ended for want of room.
pub(crate) struct Opened {
    pub user: User,
    pub ended: Vec<UserId>,
}

/// Opens an account that waits for its code. The address must be held. It takes one hash in every case;
/// [`Refusal::EmailTaken`] if the address has an account that is verified or blocked.
pub(crate) async fn open(
    tx: &mut PgConnection,
    clock: &Clock,
    turn: Turn,
    applicant: Applicant,
    id: UserId,
    role: Role,
) -> Result<Opened, Error> {
    let known = store::of_address(tx, &applicant.email).await?;
    let like = known.first().and_then(User::password);
    let hash = turn.hash_like(&applicant.password, like).await?;
    if known.iter().any(|user| user.verified || user.blocked) {
        return Err(Refusal::EmailTaken.into());
    }
    let (user, event) = User::register(applicant.into_user(id, role, hash));
    let cause = Cause::user(id, telemetry::traceparent());
    store::insert(tx, clock, &cause, &user, event).await?;
    let surplus = sqlx::query_scalar!(
        "select u.id from users as u left join codes as c on c.user_id = u.id and c.expires_at > $3
         where u.email = $1 and not u.verified and not u.blocked and u.id <> $2
         order by c.user_id is null, u.created_at desc, u.id desc offset $4",
        user.email,
        id.0,
        clock.now(),
        MOST - 1,
    );
    let mut ended = Vec::new();
    for surplus in surplus.fetch_all(&mut *tx).await? {
        ended.push(UserId(surplus));
        end(tx, clock, &cause, UserId(surplus)).await?;
    }
    Ok(Opened { user, ended })
}

/// The account that a password opens, of those with one address. Costs one hash however many there are,
/// and where there is none.
pub(crate) async fn opened_by(
    turn: Turn,
    password: &str,
    mut known: Vec<User>,
) -> Result<Option<User>, Error> {
    let hashes = known.iter().filter_map(User::password).collect();
    known.retain(|user| user.password().is_some());
    let found = turn.find(password, hashes).await?;
    Ok(found.map(|at| known.swap_remove(at)))
}

/// Ends every other sign-up that waits with the address of `winner`, who has just proven it; answers which
/// ones. The address must be held.
pub(crate) async fn give_way(
    tx: &mut PgConnection,
    clock: &Clock,
    winner: &User,
) -> Result<Vec<UserId>, Error> {
    let others = sqlx::query_scalar!(
        "select id from users where email = $1 and id <> $2 and not verified order by id",
        winner.email,
        winner.id.0,
    );
    let cause = Cause::user(winner.id, telemetry::traceparent());
    let mut ended = Vec::new();
    for other in others.fetch_all(&mut *tx).await? {
        end(tx, clock, &cause, UserId(other)).await?;
        ended.push(UserId(other));
    }
    if !ended.is_empty() {
        // What they sent with a key is kept with what it was answered.
        idempotency::forget(tx, owner_of_key(&winner.email)).await?;
    }
    Ok(ended)
}

/// True if one of the accounts of an address is blocked: another sign-up does not undo that.
pub(crate) async fn is_blocked(tx: &mut PgConnection, email: &str) -> Result<bool, Error> {
    let known = store::of_address(tx, email).await?;
    Ok(known.iter().any(|user| user.blocked))
}

/// Closes an account whose address is not proven.
async fn end(tx: &mut PgConnection, clock: &Clock, cause: &Cause, id: UserId) -> Result<(), Error> {
    tiffin_bus::change(tx, clock, cause, id, |user: &mut User| {
        user.delete(1, false)
    })
    .await?;
    let now = clock.now();
    sessions::end_all(tx, now, id, None).await?;
    codes::end(tx, id).await?;
    resets::end(tx, id).await?;
    operators::remove(tx, id).await?;
    idempotency::forget(tx, id).await?;
    erasure::request(tx, now, id).await
}

/// The owner of an idempotency key at sign-up: without an account, the e-mail address that it comes with.
pub(crate) fn owner_of_key(email: &str) -> UserId {
    let digest: [u8; 32] = Sha256::digest(email).into();
    UserId(Uuid::from_u128(
        digest[..16]
            .iter()
            .fold(0, |id, byte| id << 8 | u128::from(*byte)),
    ))
}

/// The name of an address in counters, which are kept longer than accounts.
pub(crate) fn digest(email: &str) -> String {
    Sha256::digest(email)
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}
