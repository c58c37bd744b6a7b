//! Accounts that no registration form makes: administrators, the demo's people.

use sqlx::PgPool;
use tiffin_bus::{Cause, Recorder};
use tiffin_events::{Role, UserId};

use crate::{
    Error, NAME,
    passwords::Passwords,
    rules::{self, BadInput},
    sign_ups,
    store::{self, operators},
    user::{NewUser, Profile, Refusal, User},
};

/// An account to make, whose e-mail address needs no proof.
#[derive(Clone, Debug)]
pub struct NewAccount {
    pub id: UserId,
    pub email: String,
    pub password: String,
    pub role: Role,
    pub profile: Profile,
    /// True if they operate the event history, with any role.
    pub operator: bool,
}

/// The reason why an account was not made.
#[derive(Debug, thiserror::Error)]
pub enum NewAccountError {
    /// The fault of the e-mail address or the password.
    #[error(transparent)]
    Invalid(#[from] BadInput),
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Makes a verified account of any role, with the event that says so; [`Refusal::EmailTaken`] where
/// the address has one that is verified or blocked. Sign-ups that wait with the address end.
pub async fn create(
    pool: &PgPool,
    recorder: &Recorder,
    new: NewAccount,
) -> Result<User, NewAccountError> {
    let clock = &recorder.clock;
    let email = rules::email(&new.email)?;
    let password = rules::password(&new.password)?;
    let password_hash = Passwords::new().hash(&password).await?;
    let (id, role, profile) = (new.id, new.role, new.profile);
    let (user, event) = User::register(NewUser {
        id,
        email,
        password_hash,
        role,
        profile,
        verified: true,
    });
    let prefetched = recorder.keys.prefetch(&[id]).await;
    prefetched.map_err(Error::from)?;
    let mut tx = tiffin_database::begin(pool).await.map_err(Error::from)?;
    store::lock_address(&mut tx, &user.email).await?;
    if sign_ups::is_blocked(&mut tx, &user.email).await? {
        return Err(Error::from(Refusal::EmailTaken).into());
    }
    store::insert(&mut tx, recorder, &Cause::service(NAME), &user, event).await?;
    sign_ups::end_others(&mut tx, recorder, &user).await?;
    if new.operator {
        operators::insert(&mut tx, clock.now(), user.id).await?;
    }
    tx.commit().await.map_err(Error::from)?;
    Ok(user)
}
