//! The keys that seal people's fields in events: one for each account, sealed itself under the master key. Closing the
//! account destroys it.

use std::collections::{BTreeSet, HashSet};

use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgPool};
use tiffin_bus::{
    Recorder,
    seal::{KeyAsk, KeySource, KeyState, Keys, KeysError, Secret},
};
use tiffin_events::{Clock, UserId};
use uuid::Uuid;

use crate::{
    Error,
    seal::Seal,
    store::personal_keys::{self, PersonalKey},
};

/// The keys in the database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PersonalKeys {
    pool: PgPool,
    clock: Clock,
    seal: Seal,
}

impl KeySource for PersonalKeys {
    fn find(&self, ask: KeyAsk) -> BoxFuture<'_, Result<Vec<KeyState>, KeysError>> {
        Box::pin(async move {
            let found = self.find_or_make(&ask).await;
            found.map_err(|error| KeysError::Away(error.to_string()))
        })
    }
}

impl PersonalKeys {
    pub fn new(pool: PgPool, clock: Clock, seal: Seal) -> Self {
        Self { pool, clock, seal }
    }

    /// The means of recording events for those who have the keys themselves.
    pub fn recorder(&self) -> Recorder {
        Recorder::new(self.clock.clone(), Keys::new(self.clone()))
    }

    async fn find_or_make(&self, ask: &KeyAsk) -> Result<Vec<KeyState>, Error> {
        let persons: BTreeSet<Uuid> = ask.persons.iter().map(|person| person.0).collect();
        let wanted: Vec<Uuid> = persons.iter().copied().collect();
        let mut conn = self.pool.acquire().await?;
        let mut keys = personal_keys::find(&mut conn, &wanted, &ask.keys).await?;
        let known: HashSet<Uuid> = keys.iter().map(|key| key.person).collect();
        let without: Vec<Uuid> = persons
            .into_iter()
            .filter(|it| !known.contains(it))
            .collect();
        if !without.is_empty() {
            self.make(&mut conn, &without).await?;
            keys.extend(personal_keys::find(&mut conn, &without, &[]).await?);
        }
        keys.into_iter().map(|key| self.open(key)).collect()
    }

    async fn make(&self, conn: &mut PgConnection, persons: &[Uuid]) -> Result<(), Error> {
        let mut keys = Vec::with_capacity(persons.len());
        for person in persons {
            let id = self.clock.new_id();
            let secret = Secret::random().map_err(|error| Error::Crypto(error.to_string()))?;
            let sealed = self.seal.seal(&purpose(id, *person), secret.bytes())?;
            keys.push((id, *person, sealed));
        }
        personal_keys::insert(conn, self.clock.now(), &keys).await
    }

    fn open(&self, key: PersonalKey) -> Result<KeyState, Error> {
        let PersonalKey { id, person, secret } = key;
        let secret = secret.map(|sealed| self.secret(id, person, &sealed));
        Ok(KeyState {
            id,
            person: UserId(person),
            secret: secret.transpose()?,
        })
    }

    fn secret(&self, id: Uuid, person: Uuid, sealed: &[u8]) -> Result<Secret, Error> {
        let opened = self.seal.open(&purpose(id, person), sealed);
        let opened = opened.map_err(|error| {
            Error::Crypto(format!("the personal key {id} can't be opened: {error}"))
        })?;
        Secret::from_bytes(&opened)
            .ok_or_else(|| Error::Unreadable(format!("the personal key {id} has another length")))
    }
}

/// The purpose that a person's key is sealed for.
pub(crate) fn purpose(id: Uuid, person: Uuid) -> String {
    format!("personal_keys/{id}/{person}")
}
