//! Size, age and copies of each stream: the catalogue's values, unless the operator sets others.

use std::{collections::BTreeMap, str::FromStr, time::Duration};

use async_nats::jetstream::stream::{Config, PersistenceMode};
use tiffin_events::{Stream, audience, revocation, rights::AUDIENCE_STREAM};
use tracing::warn;

/// The caps that an operator sets. Written as `ORDERS=8GiB,3;NOTIFICATIONS=4GiB,30d;*=3`: a stream (`*` is each
/// that is not named) and in any order its size (`KiB`, `MiB`, `GiB`, `TiB`), how long it keeps a message
/// (`m`, `h`, `d`, or `forever`) and its copies (1 to 5). What is left out has the catalogue's value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caps(BTreeMap<String, StreamCaps>);

/// The caps of one stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct StreamCaps {
    max_bytes: Option<i64>,
    /// Zero means no limit, as at the broker.
    max_age: Option<Duration>,
    replicas: Option<usize>,
}

/// The number of copies of a stream in a cluster: 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replicas(usize);

impl FromStr for Replicas {
    type Err = BadCaps;

    fn from_str(text: &str) -> Result<Self, BadCaps> {
        let number = text.parse().ok().filter(|number| (1..=5).contains(number));
        number
            .map(Self)
            .ok_or_else(|| BadCaps(format!("{text:?} is no number of copies from 1 to 5")))
    }
}

/// Caps that can't be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct BadCaps(String);

/// The name for all streams without an entry.
const ALL_OTHERS: &str = "*";

impl Caps {
    /// The same with so many copies of each stream for which they name no number.
    #[must_use]
    pub fn with_replicas(mut self, Replicas(number): Replicas) -> Self {
        let others = self.0.entry(ALL_OTHERS.to_owned()).or_default();
        others.replicas.get_or_insert(number);
        self
    }

    /// Applies the operator's caps to the configuration of a stream.
    pub(crate) fn apply(&self, config: &mut Config) {
        let others = self.0.get(ALL_OTHERS).copied().unwrap_or_default();
        let own = self.0.get(&config.name).copied().unwrap_or_default();
        config.max_bytes = own
            .max_bytes
            .or(others.max_bytes)
            .unwrap_or(config.max_bytes);
        config.max_age = own.max_age.or(others.max_age).unwrap_or(config.max_age);
        config.num_replicas = own
            .replicas
            .or(others.replicas)
            .unwrap_or(config.num_replicas);
        if config.num_replicas > 1 {
            // The broker refuses copies of what it has not written down.
            config.persist_mode = None;
        }
    }
}

impl FromStr for Caps {
    type Err = BadCaps;

    fn from_str(text: &str) -> Result<Self, BadCaps> {
        let mut caps = BTreeMap::new();
        let parts = text.split(';').map(str::trim);
        for part in parts.filter(|part| !part.is_empty()) {
            let (name, limits) = part
                .split_once('=')
                .ok_or_else(|| BadCaps(format!("{part:?} is no `STREAM=limits`")))?;
            let name = name.trim();
            if name != ALL_OTHERS && !names().any(|known| known == name) {
                let known: Vec<_> = names().collect();
                let known = known.join(", ");
                return Err(BadCaps(format!("there is no stream {name:?}: {known}")));
            }
            let mut stream_caps = StreamCaps::default();
            for limit in limits.split(',').map(str::trim) {
                stream_caps.set(limit)
                    .ok_or_else(|| BadCaps(format!("{limit:?} of {name} is no size, age or number of copies (4GiB, 30d, forever, 3)")))?;
            }
            if caps.insert(name.to_owned(), stream_caps).is_some() {
                return Err(BadCaps(format!("{name} is named twice")));
            }
        }
        Ok(Self(caps))
    }
}

impl StreamCaps {
    fn set(&mut self, limit: &str) -> Option<()> {
        if limit == "forever" {
            self.max_age = Some(Duration::ZERO);
            return Some(());
        }
        if let Ok(Bytes(bytes)) = limit.parse() {
            self.max_bytes = i64::try_from(bytes).ok();
            return Some(());
        }
        let (number, unit) = number_and_unit(limit)?;
        match unit {
            "m" => self.max_age = Some(Duration::from_mins(number.into())),
            "h" => self.max_age = Some(Duration::from_hours(number.into())),
            "d" => self.max_age = Some(Duration::from_hours(u64::from(number) * 24)),
            "" if number <= 5 => self.replicas = usize::try_from(number).ok(),
            _ => return None,
        }
        Some(())
    }
}

/// A size as operators write it: `64KiB`, `12GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = BadCaps;

    fn from_str(text: &str) -> Result<Self, BadCaps> {
        let bytes = number_and_unit(text).and_then(|(number, unit)| {
            let power = match unit {
                "KiB" => 1,
                "MiB" => 2,
                "GiB" => 3,
                "TiB" if number <= 1024 => 4,
                _ => return None,
            };
            Some(u64::from(number) << (10 * power))
        });
        bytes.map(Self).ok_or_else(|| {
            BadCaps(format!(
                "{text:?} is no size such as 64KiB, 512MiB, 12GiB or 1TiB"
            ))
        })
    }
}

fn number_and_unit(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number = number.parse().ok().filter(|number| *number > 0)?;
    Some((number, unit))
}

/// Every stream that is made, buckets included.
fn names() -> impl Iterator<Item = &'static str> {
    debug_assert_eq!(AUDIENCE_STREAM, format!("KV_{}", audience::BUCKET));
    let streams = Stream::ALL.into_iter().map(Stream::name);
    streams.chain([AUDIENCE_STREAM, revocation::STREAM])
}

/// The configuration that an existing stream gets: the wanted value of each cap where it gives more room,
/// else the one it has. A start never lowers a cap that an operator raised by hand. It logs the caps
/// that it leaves.
pub(crate) fn widened(wanted: Config, found: &Config) -> Config {
    let max_bytes = wider(wanted.max_bytes, found.max_bytes.max(0));
    let max_age = wider(wanted.max_age, found.max_age);
    let num_replicas = wanted.num_replicas.max(found.num_replicas);
    let is_left = (max_bytes, max_age, num_replicas)
        != (wanted.max_bytes, wanted.max_age, wanted.num_replicas);
    if is_left {
        warn!(
            stream = wanted.name,
            max_bytes,
            max_age_seconds = max_age.as_secs(),
            copies = num_replicas,
            "the stream has larger caps than the configuration, and keeps them"
        );
    }
    let has_changed_mode = wanted.persist_mode != found.persist_mode
        && wanted.persist_mode == Some(PersistenceMode::Async);
    if has_changed_mode {
        warn!(
            stream = wanted.name,
            "the broker can't change the persistence mode of a stream: it stays as it is"
        );
    }
    Config {
        max_bytes: if max_bytes == 0 { -1 } else { max_bytes },
        max_age,
        num_replicas,
        persist_mode: found.persist_mode,
        // The broker lifts no denial, and sets the first sequence only when it makes a stream.
        deny_purge: wanted.deny_purge || found.deny_purge,
        first_sequence: found.first_sequence,
        placement: found.placement.clone(),
        compression: found.compression.clone(),
        description: found.description.clone(),
        metadata: found.metadata.clone(),
        ..wanted
    }
}

/// The larger of two limits, where zero is none at all.
fn wider<T: Ord + Default>(one: T, other: T) -> T {
    let none = T::default();
    if one == none || other == none {
        none
    } else {
        one.max(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(max_bytes: i64, days: u64, num_replicas: usize) -> Config {
        Config {
            name: "ORDERS".to_owned(),
            max_bytes,
            max_age: Duration::from_hours(days * 24),
            num_replicas,
            ..Config::default()
        }
    }

    fn applied(caps: &str, name: &str) -> (i64, u64, usize) {
        let mut made = Config {
            name: name.to_owned(),
            ..config(100, 1, 1)
        };
        caps.parse::<Caps>().unwrap().apply(&mut made);
        let days = made.max_age.as_secs() / 86_400;
        (made.max_bytes, days, made.num_replicas)
    }

    #[test]
    fn limits_are_read_and_what_is_left_out_stays_as_it_is() {
        assert_eq!(applied("", "ORDERS"), (100, 1, 1));
        let caps = " ORDERS=3,4GiB, 30d ; KV_audience=64KiB; *=5MiB,2;";
        assert_eq!(applied(caps, "ORDERS"), (4 << 30, 30, 3));
        assert_eq!(applied(caps, "KV_audience"), (64 << 10, 1, 2));
        assert_eq!(applied(caps, "USERS"), (5 << 20, 1, 2));
        assert_eq!(applied("POSITIONS=forever", "POSITIONS"), (100, 0, 1));
    }

    #[test]
    fn copies_are_those_of_the_cluster_unless_a_stream_has_its_own() {
        let copies = |caps: &str, name: &str| {
            let mut made = Config {
                name: name.to_owned(),
                ..config(100, 1, 1)
            };
            let caps = caps.parse::<Caps>().unwrap();
            caps.with_replicas("3".parse().unwrap()).apply(&mut made);
            made.num_replicas
        };
        assert_eq!(copies("", "ORDERS"), 3);
        assert_eq!(copies("ORDERS=5;*=4GiB", "ORDERS"), 5);
        assert_eq!(copies("ORDERS=5;*=4GiB", "USERS"), 3);
        assert_eq!(copies("*=2", "USERS"), 2);
        for wrong in ["0", "6", "three", "-1", ""] {
            assert!(wrong.parse::<Replicas>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_can_not_be_meant_is_refused_with_what_may_be() {
        for wrong in [
            "ORDERS",
            "ORDER=4GiB",
            "ORDERS=4GB",
            "ORDERS=0",
            "ORDERS=6",
            "ORDERS=",
            "ORDERS=-1GiB",
            "ORDERS=99999999999GiB",
            "ORDERS=4GiB;ORDERS=3",
        ] {
            assert!(wrong.parse::<Caps>().is_err(), "{wrong}");
        }
        let error = "ORDER=4GiB".parse::<Caps>().unwrap_err().to_string();
        assert!(error.contains("ORDERS, "), "{error}");
    }

    #[test]
    fn a_stream_is_widened_and_never_narrowed() {
        let bring = |wanted, found| {
            let made = widened(wanted, &found);
            let days = made.max_age.as_secs() / 86_400;
            (made.max_bytes, days, made.num_replicas)
        };
        assert_eq!(bring(config(200, 2, 3), config(100, 1, 1)), (200, 2, 3));
        assert_eq!(bring(config(100, 1, 1), config(200, 2, 3)), (200, 2, 3));
        assert_eq!(bring(config(200, 1, 1), config(100, 2, 3)), (200, 2, 3));
        assert_eq!(bring(config(200, 2, 1), config(-1, 0, 1)), (-1, 0, 1));
        assert_eq!(bring(config(200, 0, 1), config(100, 2, 1)), (200, 0, 1));
    }
}
