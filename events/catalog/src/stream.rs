//! The JetStream streams: what each holds, whose it is and how much it may keep.

use std::{fmt, str::FromStr, time::Duration};

const MIB: i64 = 1024 * 1024;

/// A stream, which belongs to the service that publishes to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stream {
    Users,
    Catalog,
    Orders,
    Payments,
    Deliveries,
    Drivers,
    Notifications,
    Operations,
    Positions,
    DeadLetters,
}

impl Stream {
    pub const ALL: [Self; 10] = [
        Self::Users,
        Self::Catalog,
        Self::Orders,
        Self::Payments,
        Self::Deliveries,
        Self::Drivers,
        Self::Notifications,
        Self::Operations,
        Self::Positions,
        Self::DeadLetters,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Users => "USERS",
            Self::Catalog => "CATALOG",
            Self::Orders => "ORDERS",
            Self::Payments => "PAYMENTS",
            Self::Deliveries => "DELIVERIES",
            Self::Drivers => "DRIVERS",
            Self::Notifications => "NOTIFICATIONS",
            Self::Operations => "OPERATIONS",
            Self::Positions => "POSITIONS",
            Self::DeadLetters => "DEADLETTERS",
        }
    }

    pub const fn subjects(self) -> &'static [&'static str] {
        match self {
            Self::Users => &["tiffin.user.*.*", "tiffin.inquiry.*.*"],
            Self::Catalog => &[
                "tiffin.restaurant.*.*",
                "tiffin.item.*.*",
                "tiffin.review.*.*",
            ],
            Self::Orders => &["tiffin.order.*.*"],
            Self::Payments => &["tiffin.payment.*.*"],
            Self::Deliveries => &["tiffin.delivery.*.*", "tiffin.suggestion.*.*"],
            Self::Drivers => &["tiffin.driver.*.*"],
            Self::Notifications => &["tiffin.notification.*.*"],
            Self::Operations => &["tiffin.operation.*.*"],
            Self::Positions => &["tiffin.position.*", "tiffin.position.*.*"],
            Self::DeadLetters => &["tiffin.dead.*"],
        }
    }

    /// Bytes it may hold. A full stream refuses what comes, and the outbox keeps it; only positions
    /// push the oldest out.
    pub const fn max_bytes(self) -> i64 {
        match self {
            Self::Orders => 2048 * MIB,
            Self::Deliveries | Self::Notifications | Self::Positions => 1024 * MIB,
            Self::Users | Self::Catalog | Self::Payments | Self::Drivers => 512 * MIB,
            Self::Operations | Self::DeadLetters => 128 * MIB,
        }
    }

    /// The time that it keeps a message; `None` is without a limit.
    pub const fn max_age(self) -> Option<Duration> {
        match self {
            Self::Positions => Some(Duration::from_hours(24)),
            _ => None,
        }
    }

    /// True if the broker repeats its messages on `live.…` once they are stored, with the stream sequence that
    /// a browser can resume after.
    pub const fn is_repeated_live(self) -> bool {
        matches!(self, Self::Orders | Self::Deliveries)
    }

    /// True if single messages of it are deleted: an account's past (`USERS`), and dead letters that are
    /// settled. Every other stream denies deletion.
    pub const fn deletes_messages(self) -> bool {
        matches!(self, Self::Users | Self::DeadLetters)
    }

    /// True if its old events move to the archive. The broker lets the operator service purge it up to an event, and
    /// denies a purge of every other stream. `USERS` stays: an account's past is overwritten there. So does the audit,
    /// which is checked from its first event on.
    pub const fn is_archived(self) -> bool {
        matches!(
            self,
            Self::Catalog
                | Self::Orders
                | Self::Payments
                | Self::Deliveries
                | Self::Drivers
                | Self::Notifications
        )
    }

    /// True if an export may be imported into it. The audit belongs to the platform on which it was recorded,
    /// and dead letters are not events.
    pub const fn takes_imports(self) -> bool {
        !matches!(self, Self::Operations | Self::DeadLetters)
    }

    /// True if its events come from an outbox, numbered by aggregate.
    pub const fn is_history(self) -> bool {
        !matches!(self, Self::Positions | Self::DeadLetters)
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A stream that does not exist.
#[derive(Debug, thiserror::Error)]
#[error("there is no stream {0:?}")]
pub struct UnknownStream(String);

impl FromStr for Stream {
    type Err = UnknownStream;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|stream| stream.name() == text)
            .ok_or_else(|| UnknownStream(text.to_owned()))
    }
}
