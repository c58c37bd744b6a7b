//! Positions that a driver's locked phone sends by a program such as Traccar Client or `OwnTracks`, with a token of the
//! driver's. They go the way of late positions: a program sends one at a time, some of them late.

pub mod own_tracks;
pub mod traccar;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use tiffin_chassis::{Problem, Writes, refusal::Failure, refusals};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::{
    State,
    http::LatePosition,
    late_positions::{self, Unrecorded, Unusable},
    limits,
    store::phone_tokens::{self, PhoneToken},
};

/// The longest token that is looked for.
const MAX_TOKEN: usize = 100;

refusals! {
    /// A token of a phone that opens nothing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadPhoneToken {
        Missing = 401, "delivery.phone-token-missing", "The phone's token is missing.";
        Unknown =
            401, "delivery.phone-token-unknown",
            "The phone's token is not valid: it was revoked or replaced. Please make another one.";
    }
}

/// The effect of a position that a phone sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PhoneOutcome {
    /// It is part of a delivery's history.
    Used,
    /// The driver had no delivery under way then: it was not kept.
    NoDelivery,
    /// The phone's clock is more than a minute ahead: it was not kept.
    Ahead,
    /// It is older than a day: it was not kept.
    TooOld,
    /// It is no place on earth: it was not kept.
    Impossible,
}

impl PhoneOutcome {
    const ALL: [Self; 5] = [
        Self::Used,
        Self::NoDelivery,
        Self::Ahead,
        Self::TooOld,
        Self::Impossible,
    ];

    /// The word that is stored, the same as on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::NoDelivery => "no-delivery",
            Self::Ahead => "ahead",
            Self::TooOld => "too-old",
            Self::Impossible => "impossible",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == word)
    }
}

impl From<Unusable> for PhoneOutcome {
    fn from(unusable: Unusable) -> Self {
        match unusable {
            Unusable::Ahead => Self::Ahead,
            Unusable::TooOld => Self::TooOld,
            Unusable::Impossible => Self::Impossible,
        }
    }
}

/// A driver's token, without the token.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = PhoneToken)]
#[serde(rename_all = "camelCase")]
pub struct PhoneTokenView {
    #[serde(with = "time::serde::rfc3339")]
    pub made_at: OffsetDateTime,
    /// The time of its last use, to a quarter of a minute.
    #[serde(with = "time::serde::rfc3339::option")]
    pub used_at: Option<OffsetDateTime>,
    /// The effect of the last position that came with it.
    pub outcome: Option<PhoneOutcome>,
}

/// A new token: 256 random bits.
pub fn new_token() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// The token that a phone showed, counted against its driver's limit. Others are counted by their network.
pub async fn admit(
    state: &State,
    writes: &Writes,
    shown: Option<&str>,
) -> Result<PhoneToken, Problem> {
    let shown = shown.filter(|token| !token.is_empty());
    let mut db = state.pool.acquire().await?;
    let found = match shown {
        Some(token) if token.len() <= MAX_TOKEN => phone_tokens::find(&mut db, token).await?,
        _ => None,
    };
    let revocations = state.verifier.revocations();
    if let Some(token) = found {
        // The news of a block is here before its event.
        if !revocations.is_revoked(token.driver, token.made_at) {
            drop(db);
            writes
                .count_of(&limits::PHONE_POSITIONS, token.driver)
                .await?;
            return Ok(token);
        }
        phone_tokens::revoke(&mut db, token.driver, token.made_at).await?;
    }
    drop(db);
    writes.count_stranger(&limits::UNKNOWN_PHONES).await?;
    Err(match shown {
        Some(_) => BadPhoneToken::Unknown.into(),
        None => BadPhoneToken::Missing.into(),
    })
}

/// Records the position of a phone, if it sent one, and notes the use of its token.
///
/// Both programs repeat a position until it is answered with success, and only then send the next one. So a position
/// that is of no use is a success, too.
pub async fn receive(
    state: &State,
    token: &PhoneToken,
    position: Option<LatePosition>,
) -> Result<Option<PhoneOutcome>, Problem> {
    let now = state.clock.now();
    let outcome = match position {
        None => None,
        Some(position) => Some(match late_positions::unusable(&position, now) {
            Some(unusable) => unusable.into(),
            None => record(state, token, position).await?,
        }),
    };
    let mut db = state.pool.acquire().await?;
    phone_tokens::note_use(&mut db, token, outcome, now).await?;
    Ok(outcome)
}

async fn record(
    state: &State,
    token: &PhoneToken,
    position: LatePosition,
) -> Result<PhoneOutcome, Problem> {
    match late_positions::record(state, token.driver, vec![position]).await {
        Ok(done) if done.unused > 0 => Ok(PhoneOutcome::NoDelivery),
        Ok(_) => Ok(PhoneOutcome::Used),
        Err(Unrecorded::Database(error)) => Err(error.into()),
        Err(Unrecorded::Broker(error)) => {
            tracing::warn!(%error, driver = %token.driver, "a phone's position can't be recorded; the phone sends it again");
            Err(Failure::NotReady.into())
        }
    }
}

/// A measured value, where it is one: programs write a negative number for what the phone does not know.
fn known(value: Option<f64>, most: f64) -> Option<f64> {
    value.filter(|value| (0.0..=most).contains(value))
}
