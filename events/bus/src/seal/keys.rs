//! The keys that a process keeps, and sealing and opening with them.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::Value;
use tiffin_events::{
    Envelope, RawEnvelope, UserId,
    personal::{self, NoPerson, Sealed, SealedPart},
};
use tokio::time::Instant;
use uuid::Uuid;

use super::{
    ask::{KeyAsk, KeySource, KeyState, KeysError},
    key::{BadPart, PersonKey},
};

/// The time for which a key is not asked for again.
const MAX_AGE: Duration = Duration::from_mins(1);
/// The most keys that are kept.
const MAX_KEYS: usize = 50_000;
/// The most keys of one request: an answer has to fit into a message of the broker.
const MAX_ASKED: usize = 2_000;

/// The kept keys, and the source of others. Cheap to clone.
#[derive(Clone)]
pub struct Keys {
    source: Arc<dyn KeySource>,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    by_id: HashMap<Uuid, Entry>,
    by_person: HashMap<UserId, Uuid>,
}

#[derive(Clone)]
struct Entry {
    id: Uuid,
    person: UserId,
    /// Absent if it is destroyed.
    key: Option<Arc<PersonKey>>,
    until: Instant,
}

/// The reason why an event's personal fields were not sealed.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    #[error(transparent)]
    Keys(#[from] KeysError),
    #[error(transparent)]
    Person(#[from] NoPerson),
    #[error(transparent)]
    Part(#[from] BadPart),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").finish_non_exhaustive()
    }
}

impl Keys {
    pub fn new(source: impl KeySource) -> Self {
        Self {
            source: Arc::new(source),
            kept: Arc::default(),
        }
    }

    /// Fetches the keys of persons before their events are recorded, so that sealing does not wait.
    pub async fn prefetch(&self, persons: &[UserId]) -> Result<(), KeysError> {
        self.of_persons(persons).await.map(drop)
    }

    /// Forgets the key of a closed account.
    pub fn forget(&self, person: UserId) {
        let mut kept = self.kept();
        if let Some(id) = kept.by_person.remove(&person) {
            kept.by_id.remove(&id);
        }
        kept.by_id.retain(|_, entry| entry.person != person);
    }

    /// Seals the personal fields of an event. Those of a closed account are left out for good.
    pub async fn seal(&self, envelope: &mut Envelope) -> Result<(), SealError> {
        if !personal::is_sealed(&envelope.kind) {
            return Ok(());
        }
        let mut data = envelope.data.clone();
        let taken = personal::take_out(&envelope.kind, envelope.subject, &mut data)?;
        let persons: Vec<UserId> = taken.keys().copied().collect();
        let keys = self.of_persons(&persons).await?;
        let mut parts = Vec::with_capacity(taken.len());
        for (person, fields) in taken {
            let Some(entry) = keys.get(&person) else {
                let reason = format!("it answers without a key of {person}");
                return Err(KeysError::Away(reason).into());
            };
            parts.push(match &entry.key {
                Some(key) => key.seal(envelope.id, &fields)?,
                None => SealedPart {
                    person,
                    key: entry.id,
                    value: String::new(),
                },
            });
        }
        (envelope.data, envelope.sealed) = (data, Sealed(parts));
        Ok(())
    }

    /// Puts the personal fields of events back into their payloads. Where a key is destroyed they are erased.
    pub async fn open(&self, envelopes: &mut [Envelope]) -> Result<(), SealError> {
        let opener = self.of_parts(envelopes.iter().map(|it| &it.sealed)).await?;
        for envelope in envelopes {
            let (id, subject) = (envelope.id, envelope.subject);
            let sealed = std::mem::take(&mut envelope.sealed);
            opener.open_data(id, &envelope.kind, subject, &sealed, &mut envelope.data)?;
        }
        Ok(())
    }

    /// The keys of sealed parts.
    pub(crate) async fn of_parts<'a>(
        &self,
        sealed: impl Iterator<Item = &'a Sealed>,
    ) -> Result<Opener, KeysError> {
        let parts = sealed.flat_map(|sealed| &sealed.0);
        let wanted: BTreeSet<Uuid> = parts.map(|part| part.key).collect();
        let (mut found, missing) = self.at_hand(wanted, |kept, id| kept.by_id.get(id).cloned());
        for keys in missing.chunks(MAX_ASKED) {
            let ask = KeyAsk {
                keys: keys.to_vec(),
                ..KeyAsk::default()
            };
            found.extend(self.ask(ask).await?.into_iter().map(|it| (it.id, it)));
            if let Some(unknown) = keys.iter().find(|id| !found.contains_key(*id)) {
                return Err(KeysError::Unknown(*unknown));
            }
        }
        Ok(Opener(found))
    }

    async fn of_persons(&self, persons: &[UserId]) -> Result<HashMap<UserId, Entry>, KeysError> {
        let wanted: BTreeSet<UserId> = persons.iter().copied().collect();
        let (mut found, missing) = self.at_hand(wanted, |kept, person| {
            kept.by_id.get(kept.by_person.get(person)?).cloned()
        });
        for persons in missing.chunks(MAX_ASKED) {
            let ask = KeyAsk {
                persons: persons.to_vec(),
                ..KeyAsk::default()
            };
            found.extend(self.ask(ask).await?.into_iter().map(|it| (it.person, it)));
        }
        Ok(found)
    }

    /// The wanted keys that are kept, and those that are missing.
    fn at_hand<K: Copy + Eq + std::hash::Hash>(
        &self,
        wanted: BTreeSet<K>,
        look_up: impl Fn(&Kept, &K) -> Option<Entry>,
    ) -> (HashMap<K, Entry>, Vec<K>) {
        let (kept, now) = (self.kept(), Instant::now());
        let (mut found, mut missing) = (HashMap::new(), Vec::new());
        for one in wanted {
            match look_up(&kept, &one).filter(|entry| entry.until > now) {
                Some(entry) => {
                    found.insert(one, entry);
                }
                None => missing.push(one),
            }
        }
        (found, missing)
    }

    async fn ask(&self, ask: KeyAsk) -> Result<Vec<Entry>, KeysError> {
        let until = Instant::now() + MAX_AGE;
        let answer = self.source.find(ask).await?;
        let entries = answer.iter().map(|state| Entry::of(state, until));
        let entries: Vec<Entry> = entries.collect::<Result<_, _>>()?;
        let mut kept = self.kept();
        if kept.by_id.len() + entries.len() > MAX_KEYS {
            *kept = Kept::default();
        }
        for entry in &entries {
            kept.by_person.insert(entry.person, entry.id);
            kept.by_id.insert(entry.id, entry.clone());
        }
        Ok(entries)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn of(state: &KeyState, until: Instant) -> Result<Self, KeysError> {
        let (id, person) = (state.id, state.person);
        let secret = state.secret.as_ref();
        let key = secret.map(|secret| PersonKey::new(id, person, secret));
        let key = key.transpose();
        let key = key.map_err(|error| KeysError::Away(error.to_string()))?;
        Ok(Self {
            id,
            person,
            key: key.map(Arc::new),
            until,
        })
    }
}

/// The keys of some events.
pub(crate) struct Opener(HashMap<Uuid, Entry>);

impl Opener {
    /// Puts the personal fields of an event back into its payload. Where a key is destroyed they are erased.
    pub(crate) fn open(&self, envelope: &mut RawEnvelope) -> Result<(), OpenError> {
        if envelope.sealed.is_empty() {
            return Ok(());
        }
        let mut data: Value = serde_json::from_str(envelope.data.get())?;
        let sealed = std::mem::take(&mut envelope.sealed);
        let (id, subject) = (envelope.id, envelope.subject);
        self.open_data(id, &envelope.kind, subject, &sealed, &mut data)?;
        envelope.data = serde_json::value::to_raw_value(&data)?;
        Ok(())
    }

    fn open_data(
        &self,
        id: Uuid,
        kind: &str,
        subject: Uuid,
        sealed: &Sealed,
        data: &mut Value,
    ) -> Result<(), BadPart> {
        for part in &sealed.0 {
            let key = self.0.get(&part.key).and_then(|entry| entry.key.as_ref());
            match key.filter(|_| !part.value.is_empty()) {
                Some(key) => personal::put_back(data, key.open(id, part)?),
                None => personal::erase(kind, subject, data, part.person),
            }
        }
        Ok(())
    }
}

/// The reason why the personal fields of an event can't be read, now and later.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Part(#[from] BadPart),
    #[error(transparent)]
    Payload(#[from] serde_json::Error),
}
