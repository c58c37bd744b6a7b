//! The sealed fields of an account in all places, and the keys that the user service still has.

use sqlx::PgPool;
use tiffin_bus::seal::{KeyAsk, KeySource, KeyState, PersonKey};
use tiffin_chassis::Env;
use tiffin_events::{Clock, Envelope, UserId, personal};
use tiffin_user::{PersonalKeys, Seal};
use uuid::Uuid;

use crate::stack::Stack;

/// The events in all places.
fn events(places: &[(String, String)]) -> impl Iterator<Item = Envelope> {
    let text = places.iter().filter_map(|(place, text)| {
        let is_message = place.starts_with("stream") || place.starts_with("archive");
        is_message.then(|| text.find('{').map(|start| &text[start..]))?
    });
    text.filter_map(|text| serde_json::from_str(text).ok())
}

/// Asserts that no event has a personal field in the clear, and that some have the account's sealed.
pub fn assert_sealed(places: &[(String, String)], account: &str) {
    let mut count = 0;
    for mut event in events(places) {
        if personal::is_sealed(&event.kind) {
            let taken = personal::take_out(&event.kind, event.subject, &mut event.data).unwrap();
            assert!(taken.is_empty(), "{}: {taken:?}", event.kind);
            count += usize::from(event.sealed.to_string().contains(account));
        }
    }
    assert!(count > 0);
}

/// The sealed parts of an account, each with its event.
pub fn parts(places: &[(String, String)], account: &str) -> Vec<(Uuid, personal::SealedPart)> {
    let all = events(places).flat_map(|event| {
        let parts = event.sealed.0.into_iter();
        parts.map(move |part| (event.id, part))
    });
    // The dead event's part belongs to another one.
    let mut own: Vec<_> = all
        .filter(|(_, part)| part.person.to_string() == account && !part.value.is_empty())
        .collect();
    own.sort_by_key(|(_, part)| part.value.clone());
    own.dedup_by_key(|(_, part)| part.value.clone());
    own
}

/// The keys that the user service has, opened with the master key.
pub async fn remaining_keys(stack: &Stack) -> Vec<KeyState> {
    let databases = stack.databases();
    let (_, users) = databases.iter().find(|(name, _)| name == "user").unwrap();
    let pool = PgPool::connect(users).await.unwrap();
    let ids = "select id from personal_keys where secret is not null";
    let keys = sqlx::query_scalar(ids).fetch_all(&pool).await.unwrap();
    let file = stack.home().join("master-key");
    let env = Env::default().with("TIFFIN_MASTER_KEY_FILE", file.to_str().unwrap());
    let seal = Seal::read(&env).unwrap();
    let kept = PersonalKeys::new(pool, Clock::system(), seal);
    let ask = KeyAsk {
        keys,
        ..KeyAsk::default()
    };
    kept.find(ask).await.unwrap()
}

/// The number of parts that any of the keys opens.
pub fn open_all(parts: &[(Uuid, personal::SealedPart)], keys: &[KeyState]) -> usize {
    let opens = |event: Uuid, part: &personal::SealedPart| {
        keys.iter().any(|key| {
            let secret = key.secret.as_ref().unwrap();
            let key = PersonKey::new(part.key, UserId(part.person.0), secret).unwrap();
            key.open(event, part).is_ok()
        })
    };
    let opened = parts.iter().filter(|(event, part)| opens(*event, part));
    opened.count()
}
