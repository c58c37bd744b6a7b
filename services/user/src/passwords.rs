//! Password hashes: argon2id with 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet),
//! computed off the async threads, as many at a time as there are processors. The 19 MiB are kept for the
//! next password, and freed after half a minute without one.

mod buffers;

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use argon2::{Algorithm, Argon2, Block, Params, Version};
use aws_lc_rs::{constant_time::verify_slices_are_equal, rand};
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
    time::timeout,
};

use self::buffers::Buffers;
use crate::{Error, user::Refusal};

/// The longest wait for a turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);

/// The most requests that wait for a turn: three to four seconds on two processors.
const MAX_WAITING: usize = 128;
/// The most requests of one network that wait, so that other networks get a turn.
const MAX_WAITING_OF_NETWORK: usize = 64;

/// A hash that no password belongs to: an unknown account costs as much time as a wrong password.
const DUMMY_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$dGlmZmluLW5vYm9keS1oZXJl$b3VyIGN1c3RvbWVycyBhbHdheXMgYXJlIGh1bmdyeSE";

/// The start of a hash in PHC string format.
const PREFIX: &str = "$argon2id$v=19$m=19456,t=2,p=1$";
/// KiB of memory, which is also the number of blocks.
const MEMORY_KIB: u32 = 19_456;
/// Bytes of a salt and of a hash.
const SALT_LENGTH: usize = 16;
const HASH_LENGTH: usize = 32;

/// Hashes and checks passwords. Cheap to clone; clones share their bound.
#[derive(Clone, Debug)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    buffers: Arc<Buffers>,
    queue: Arc<Queue>,
}

/// The number of waiting requests by network.
#[derive(Debug, Default)]
struct Queue(Mutex<HashMap<Option<IpAddr>, usize>>);

/// A request in the queue; it leaves the queue when it is dropped.
struct QueueSlot {
    queue: Arc<Queue>,
    network: Option<IpAddr>,
}

impl Queue {
    /// [`Refusal::Busy`] at once where too many wait.
    fn reserve_slot(self: &Arc<Self>, network: Option<IpAddr>) -> Result<QueueSlot, Error> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = waiting.values().sum();
        let of_network = waiting.entry(network).or_default();
        if all >= MAX_WAITING || *of_network >= MAX_WAITING_OF_NETWORK {
            return Err(Refusal::Busy.into());
        }
        *of_network += 1;
        Ok(QueueSlot {
            queue: Arc::clone(self),
            network,
        })
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        let mut waiting = self.queue.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = waiting.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                waiting.remove(&self.network);
            }
        }
    }
}

/// The right to one computation.
#[derive(Debug)]
pub struct Turn {
    buffers: Arc<Buffers>,
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
            buffers: Arc::default(),
            queue: Arc::default(),
        }
    }

    /// A turn for a request without a session: refused at once where many wait already, or many of its network.
    pub async fn turn_from(&self, network: Option<IpAddr>) -> Result<Turn, Error> {
        let _slot = self.queue.reserve_slot(network)?;
        self.turn().await
    }

    /// Waits for a free processor, ten seconds at most.
    pub async fn turn(&self) -> Result<Turn, Error> {
        let permit = timeout(TURN_TIMEOUT, Arc::clone(&self.turns).acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok).ok_or(Refusal::Busy)?;
        Ok(Turn {
            buffers: Arc::clone(&self.buffers),
            _permit: permit,
        })
    }

    /// The hash in PHC string format, with a random salt.
    pub async fn hash(&self, password: &str) -> Result<String, Error> {
        self.turn().await?.hash(password).await
    }

    /// True if the password belongs to the hash.
    pub async fn verify(&self, password: &str, hash: Option<String>) -> Result<bool, Error> {
        self.turn().await?.verify(password, hash).await
    }
}

impl Turn {
    /// The hash in PHC string format, with a random salt.
    pub async fn hash(self, password: &str) -> Result<String, Error> {
        self.hash_like(password, None).await
    }

    /// The hash in PHC string format, with the salt of another hash, or a random one.
    pub async fn hash_like(self, password: &str, other: Option<String>) -> Result<String, Error> {
        let password = password.to_owned();
        self.compute(move |memory| {
            let salt = match other {
                Some(other) => parts(&other)?.0,
                None => random_salt()?,
            };
            let hash = digest(memory, password.as_bytes(), &salt)?;
            let text = |bytes: &[u8]| STANDARD_NO_PAD.encode(bytes);
            Ok(format!("{PREFIX}{}${}", text(&salt), text(&hash)))
        })
        .await
    }

    /// True if the password belongs to the hash. Without a hash it takes as long and is false.
    pub async fn verify(self, password: &str, hash: Option<String>) -> Result<bool, Error> {
        let hashes = hash.into_iter().collect();
        Ok(self.find(password, hashes).await?.is_some())
    }

    /// The index of the first hash that the password belongs to, of hashes that share a salt; those of
    /// other salts are passed over. Takes as long, and finds nothing, without any.
    pub async fn find(self, password: &str, hashes: Vec<String>) -> Result<Option<usize>, Error> {
        let password = password.to_owned();
        self.compute(move |memory| {
            let (salt, _) = parts(hashes.first().map_or(DUMMY_HASH, String::as_str))?;
            let found = digest(memory, password.as_bytes(), &salt)?;
            for (index, hash) in hashes.iter().enumerate() {
                let (other, wanted) = parts(hash)?;
                if other == salt && verify_slices_are_equal(&found, &wanted).is_ok() {
                    return Ok(Some(index));
                }
            }
            Ok(None)
        })
        .await
    }

    /// The turn goes with the work: a client that hangs up does not let another one start early.
    async fn compute<T: Send + 'static>(
        self,
        work: impl FnOnce(&mut [Block]) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        tracing::trace!("a password is hashed");
        let done = spawn_blocking(move || {
            let mut blocks = self.buffers.take();
            let result = work(&mut blocks);
            self.buffers.restore(blocks);
            result
        });
        done.await.map_err(crypto)?
    }
}

fn digest(memory: &mut [Block], password: &[u8], salt: &[u8]) -> Result<[u8; HASH_LENGTH], Error> {
    let params = Params::new(MEMORY_KIB, 2, 1, Some(HASH_LENGTH)).map_err(crypto)?;
    let mut hash = [0; HASH_LENGTH];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into_with_memory(password, salt, &mut hash, memory)
        .map_err(crypto)?;
    Ok(hash)
}

fn random_salt() -> Result<Vec<u8>, Error> {
    let mut salt = vec![0; SALT_LENGTH];
    rand::fill(&mut salt).map_err(crypto)?;
    Ok(salt)
}

/// Salt and hash of a PHC string. There is only one set of parameters.
fn parts(phc: &str) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let texts = phc
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.split_once('$'));
    let (salt, hash) =
        texts.ok_or_else(|| crypto("a stored password hash has other parameters"))?;
    let bytes = |text: &str| STANDARD_NO_PAD.decode(text).map_err(crypto);
    Ok((bytes(salt)?, bytes(hash)?))
}

fn crypto(error: impl std::fmt::Display) -> Error {
    Error::Crypto(error.to_string())
}

#[cfg(test)]
mod tests {
    use argon2::{Argon2, PasswordHash, PasswordVerifier};

    use std::net::IpAddr;

    use super::{DUMMY_HASH, MAX_WAITING_OF_NETWORK, Passwords};
    use crate::{Error, user::Refusal};

    #[tokio::test]
    async fn a_hash_is_what_others_make_of_the_password_too_also_in_memory_used_before() {
        let passwords = Passwords::new();
        for password in ["Tiffin@2026", "Kottu#Roti88", "Tiffin@2026"] {
            let hash = passwords.hash(password).await.unwrap();
            let theirs = Argon2::default();
            assert!(
                theirs
                    .verify_password(password.as_bytes(), hash.as_str())
                    .is_ok()
            );
            assert!(
                theirs
                    .verify_password(b"Tiffin@2027", hash.as_str())
                    .is_err()
            );
        }
    }

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

    impl Passwords {
        fn waiting(&self) -> usize {
            self.queue.0.lock().unwrap().values().sum()
        }
    }

    #[tokio::test]
    async fn a_network_that_asks_too_much_leaves_room_for_others() {
        let passwords = Passwords::new();
        let [greedy, other] = [1, 2].map(|last| Some(IpAddr::from([192, 0, 2, last])));
        let all = u32::try_from(passwords.turns.available_permits()).unwrap();
        let busy = passwords.turns.acquire_many(all).await.unwrap();
        let wait = |network| {
            let passwords = passwords.clone();
            tokio::spawn(async move { passwords.turn_from(network).await.map(drop) })
        };
        let waiting: Vec<_> = (0..MAX_WAITING_OF_NETWORK).map(|_| wait(greedy)).collect();
        while passwords.waiting() < MAX_WAITING_OF_NETWORK {
            tokio::task::yield_now().await;
        }
        assert!(matches!(
            passwords.turn_from(greedy).await,
            Err(Error::Refused(Refusal::Busy))
        ));
        let others = wait(other);
        while passwords.waiting() == MAX_WAITING_OF_NETWORK {
            tokio::task::yield_now().await;
        }
        drop(busy);
        for one in waiting.into_iter().chain([others]) {
            one.await.unwrap().unwrap();
        }
        passwords.turn_from(greedy).await.unwrap();
        assert_eq!(passwords.waiting(), 0);
    }

    #[tokio::test]
    async fn a_password_is_found_among_those_of_its_salt() {
        let passwords = Passwords::new();
        let one = passwords.hash("Tiffin@2026").await.unwrap();
        let turn = passwords.turn().await.unwrap();
        let like = turn.hash_like("Kottu#Roti88", Some(one.clone())).await;
        let other = passwords.hash("Hopper-Stall@7am").await.unwrap();
        let hashes = vec![one, like.unwrap(), other];
        for (password, index) in [
            ("Tiffin@2026", Some(0)),
            ("Kottu#Roti88", Some(1)),
            ("Hopper-Stall@7am", None),
        ] {
            let turn = passwords.turn().await.unwrap();
            assert_eq!(turn.find(password, hashes.clone()).await.unwrap(), index);
        }
    }

    #[tokio::test]
    async fn without_a_hash_the_same_memory_is_filled() {
        let hash = Passwords::new().hash("Tiffin@2026").await.unwrap();
        for hash in [Some(hash), None] {
            let passwords = Passwords::new();
            assert!(!passwords.verify("Tiffin@2027", hash).await.unwrap());
            let unused = passwords.buffers.lock();
            assert_eq!(unused.blocks.len(), 1);
            let untouched = unused.blocks[0]
                .iter()
                .filter(|block| block.as_ref().iter().all(|word| *word == 0));
            assert_eq!(untouched.count(), 0);
        }
    }

    #[test]
    fn the_hash_without_an_account_costs_what_others_cost() {
        let none = PasswordHash::new(DUMMY_HASH).unwrap();
        assert_eq!(none.params.to_string(), "m=19456,t=2,p=1");
        assert_eq!(none.hash.unwrap().as_bytes().len(), 32);
    }
}
