//! Password hashes: argon2id with 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet),
//! computed off the async threads, as many at a time as there are processors.

use std::{sync::Arc, thread, time::Duration};

use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
    time::timeout,
};

use crate::Error;

/// Nobody waits longer for their turn than this.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// A hash of nothing in particular: an unknown account costs as much time as a wrong password.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$dGlmZmluLW5vYm9keS1oZXJl$b3VyIGN1c3RvbWVycyBhbHdheXMgYXJlIGh1bmdyeSE";

/// Hashes and checks passwords. Cheap to clone; clones share their bound.
#[derive(Clone, Debug)]
pub struct Passwords {
    turns: Arc<Semaphore>,
}

/// The right to one computation.
#[derive(Debug)]
pub struct Turn {
    _permit: OwnedSemaphorePermit,
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}

impl Passwords {
    pub fn new() -> Self {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        Self {
            turns: Arc::new(Semaphore::new(processors.min(8))),
        }
    }

    /// Waits for a free processor, ten seconds at most.
    pub async fn turn(&self) -> Result<Turn, Error> {
        let permit = timeout(LONGEST_WAIT, Arc::clone(&self.turns).acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok).ok_or(Error::Busy)?;
        Ok(Turn { _permit: permit })
    }

    /// The hash in PHC string format, with a random salt.
    pub async fn hash(&self, password: &str) -> Result<String, Error> {
        self.turn().await?.hash(password).await
    }

    /// Whether the password belongs to the hash.
    pub async fn verify(&self, password: &str, hash: Option<String>) -> Result<bool, Error> {
        self.turn().await?.verify(password, hash).await
    }
}

impl Turn {
    /// The hash in PHC string format, with a random salt.
    pub async fn hash(self, password: &str) -> Result<String, Error> {
        let password = password.to_owned();
        self.compute(move || {
            let hash = argon2()?
                .hash_password(password.as_bytes())
                .map_err(crypto)?;
            Ok(hash.to_string())
        })
        .await
    }

    /// Whether the password belongs to the hash; takes as long, and says no, without one.
    pub async fn verify(self, password: &str, hash: Option<String>) -> Result<bool, Error> {
        let password = password.to_owned();
        self.compute(move || {
            let right = argon2()?
                .verify_password(password.as_bytes(), hash.as_deref().unwrap_or(NOBODY))
                .is_ok();
            Ok(right && hash.is_some())
        })
        .await
    }

    /// The turn goes with the work: a client that hangs up does not let another one start early.
    async fn compute<T: Send + 'static>(
        self,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let done = spawn_blocking(move || {
            let result = work();
            drop(self);
            result
        });
        done.await.map_err(crypto)?
    }
}

fn argon2() -> Result<Argon2<'static>, Error> {
    let params = Params::new(19_456, 2, 1, None).map_err(crypto)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn crypto(error: impl std::fmt::Display) -> Error {
    Error::Crypto(error.to_string())
}

#[cfg(test)]
mod tests {
    use argon2::PasswordHash;

    use super::{NOBODY, Passwords};

    #[tokio::test]
    async fn a_hash_knows_its_password_and_no_other() {
        let passwords = Passwords::new();
        let hash = passwords.hash("Tiffin@2026").await.unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(
            passwords
                .verify("Tiffin@2026", Some(hash.clone()))
                .await
                .unwrap()
        );
        assert!(!passwords.verify("Tiffin@2027", Some(hash)).await.unwrap());
        assert!(!passwords.verify("Tiffin@2026", None).await.unwrap());
    }

    #[test]
    fn the_hash_of_nobody_costs_what_others_cost() {
        let nobody = PasswordHash::new(NOBODY).unwrap();
        assert_eq!(nobody.params.to_string(), "m=19456,t=2,p=1");
        assert_eq!(nobody.hash.unwrap().as_bytes().len(), 32);
    }
}
