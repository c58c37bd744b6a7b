//! Sign-ups with an address that is not proven yet. Several may wait with one address, each an account with its
//! own password, name and code; the one whose code is typed keeps the address, and the others end. This prevents
//! taking an address by signing up with it first (pre-hijacking).
//!
//! All hashes of one address share a salt while they wait: a sign-in costs one hash, however many wait.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tiffin_bus::{Cause, Recorder};
use tiffin_chassis::{idempotency, telemetry};
use tiffin_events::{Role, UserId};
use uuid::Uuid;

use crate::{
    Error,
    passwords::Turn,
    store::{self, codes, erasures, operators, password_resets, personal_keys, sessions},
    user::{NewUser, Profile, Refusal, User},
};

/// Sign-ups that wait with one address; one more ends the oldest, those with a code last.
const MAX_WAITING: i64 = 20;

/// A valid sign-up form.
pub(crate) struct SignUp {
    pub email: String,
    pub password: String,
    pub profile: Profile,
}

impl SignUp {
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

/// A sign-up that was opened, and the accounts that it ended because too many waited.
pub(crate) struct Opened {
    pub user: User,
    pub ended: Vec<UserId>,
}

/// Opens an account that waits for its code. The address must be locked. It takes one hash in every case;
/// [`Refusal::EmailTaken`] if the address has an account that is verified or blocked.
pub(crate) async fn open(
    tx: &mut PgConnection,
    recorder: &Recorder,
    turn: Turn,
    sign_up: SignUp,
    id: UserId,
    role: Role,
) -> Result<Opened, Error> {
    let clock = &recorder.clock;
    let known = store::list_by_email(tx, &sign_up.email).await?;
    let like = known.first().and_then(User::password);
    let hash = turn.hash_like(&sign_up.password, like).await?;
    if known.iter().any(|user| user.verified || user.blocked) {
        return Err(Refusal::EmailTaken.into());
    }
    let (user, event) = User::register(sign_up.into_user(id, role, hash));
    let cause = Cause::user(id, telemetry::traceparent());
    store::insert(tx, recorder, &cause, &user, event).await?;
    let ended = store::surplus_sign_ups(tx, &user, clock.now(), MAX_WAITING - 1).await?;
    for surplus in &ended {
        end(tx, recorder, &cause, *surplus).await?;
    }
    Ok(Opened { user, ended })
}

/// The account with this password, of those with one address. It takes one hash for any number of accounts,
/// none included.
pub(crate) async fn find_by_password(
    turn: Turn,
    password: &str,
    mut known: Vec<User>,
) -> Result<Option<User>, Error> {
    let hashes = known.iter().filter_map(User::password).collect();
    known.retain(|user| user.password().is_some());
    let found = turn.find(password, hashes).await?;
    Ok(found.map(|at| known.swap_remove(at)))
}

/// Ends the other sign-ups that wait with the address that `user` has just proven; answers their
/// accounts. The address must be locked.
pub(crate) async fn end_others(
    tx: &mut PgConnection,
    recorder: &Recorder,
    user: &User,
) -> Result<Vec<UserId>, Error> {
    let cause = Cause::user(user.id, telemetry::traceparent());
    let ended = store::other_sign_ups(tx, user).await?;
    for other in &ended {
        end(tx, recorder, &cause, *other).await?;
    }
    if !ended.is_empty() {
        // What they sent with a key is kept with what it was answered.
        idempotency::forget(tx, owner_of_key(&user.email)).await?;
    }
    Ok(ended)
}

/// True if one of the accounts of an address is blocked: another sign-up does not undo that.
pub(crate) async fn is_blocked(tx: &mut PgConnection, email: &str) -> Result<bool, Error> {
    let known = store::list_by_email(tx, email).await?;
    Ok(known.iter().any(|user| user.blocked))
}

/// Closes an account whose address is not proven.
async fn end(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    id: UserId,
) -> Result<(), Error> {
    let clock = &recorder.clock;
    tiffin_bus::change(tx, recorder, cause, id, |user: &mut User| {
        user.delete(1, false)
    })
    .await?;
    let now = clock.now();
    sessions::end_all(tx, now, id, None).await?;
    codes::end(tx, id).await?;
    password_resets::end(tx, id).await?;
    operators::delete(tx, id).await?;
    idempotency::forget(tx, id).await?;
    personal_keys::destroy(tx, now, clock.new_id(), id).await?;
    erasures::insert(tx, now, id).await
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

/// The name of an address in the keys of limits, which are kept longer than accounts.
pub(crate) fn address_digest(email: &str) -> String {
    Sha256::digest(email)
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}
