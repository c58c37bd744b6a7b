//! Keys of personal fields in memory, as the user service has them in its database.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, MutexGuard},
};

use futures_util::future::BoxFuture;
use tiffin_bus::{
    Recorder,
    seal::{KeyAsk, KeySource, KeyState, Keys, KeysError, Secret},
};
use tiffin_events::{Clock, UserId};

/// The keeper of keys of a test: everybody gets one. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct TestKeys(Arc<Mutex<HashMap<UserId, KeyState>>>);

/// The keys of all tests of a process whose service has no other keeper.
static KEYS: LazyLock<TestKeys> = LazyLock::new(TestKeys::default);

/// The means of recording events in a test. [`drain_outbox`](crate::drain_outbox) reads them plainly.
pub fn recorder(clock: &Clock) -> Recorder {
    Recorder::new(clock.clone(), Keys::new(KEYS.clone()))
}

impl TestKeys {
    /// The keeper that [`recorder`] uses.
    pub fn of_process() -> Self {
        KEYS.clone()
    }

    /// Destroys a person's key, as closing their account does.
    pub fn destroy(&self, person: UserId) {
        let mut all = self.lock();
        all.entry(person).or_insert_with(|| new_key(person)).secret = None;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, KeyState>> {
        self.0.lock().expect("the keys")
    }
}

impl KeySource for TestKeys {
    fn find(&self, ask: KeyAsk) -> BoxFuture<'_, Result<Vec<KeyState>, KeysError>> {
        let mut all = self.lock();
        for person in &ask.persons {
            all.entry(*person).or_insert_with(|| new_key(*person));
        }
        let wanted = |it: &&KeyState| ask.persons.contains(&it.person) || ask.keys.contains(&it.id);
        let found = all.values().filter(wanted).cloned().collect();
        Box::pin(std::future::ready(Ok(found)))
    }
}

fn new_key(person: UserId) -> KeyState {
    KeyState {
        id: Clock::system().new_id(),
        person,
        secret: Some(Secret::random().expect("random bytes")),
    }
}
