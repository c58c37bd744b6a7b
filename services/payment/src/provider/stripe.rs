//! Stripe. A payment is one `PaymentIntent`, whose idempotency key is the payment's id and whose `metadata` has it, too.
//!
//! The card goes from the browser to Stripe alone. This service gets a token that is good for one payment.

mod api;
mod currency;
mod settings;
mod signature;

#[cfg(test)]
mod tests;

use futures_util::future::{BoxFuture, FutureExt};
use serde::{Deserialize, de::DeserializeOwned};
use sqlx::PgPool;
use tiffin_chassis::{Env, env::EnvError};
use tiffin_events::{
    Money,
    payment::{DisputeState, PaymentType},
};
use time::OffsetDateTime;
use uuid::Uuid;

pub use self::signature::BadSignature;
use self::{
    api::{Answer, Api, Intent, List},
    currency::{from_minor_units, minor_units},
    settings::Settings,
    signature::Secrets,
};
use super::{Charge, Means, Outcome, Provider, Step, Unanswered};
use crate::{card::CardSummary, payment::Dispute};

/// The reason with which a closed key is refused.
const CLOSED: &str = "not_charged";
/// The reason of a payment whose customer did not confirm it at the bank.
const NOT_CONFIRMED: &str = "not_confirmed";
/// The reason of a refusal without one.
const REFUSED: &str = "card_declined";
/// The amount of the intent that closes a key. It is cancelled at once and has no means of payment; Stripe refuses
/// intents of less than half a dollar.
const CLOSING_AMOUNT: Money = Money::from_cents(50_000);
/// The time for which a webhook's event is remembered. Stripe repeats an event for three days.
const REMEMBERED: time::Duration = time::Duration::days(60);

/// The provider `stripe`.
#[derive(Clone, Debug)]
pub struct Stripe {
    pool: PgPool,
    api: Api,
    secrets: Secrets,
}

/// An event of a webhook whose signature is right. Of its body only the ids are trusted.
#[derive(Clone, Debug)]
pub struct StripeEvent {
    pub id: String,
    /// The `PaymentIntent` that it is about; `None` for any other event.
    pub intent: Option<String>,
    /// True if it is about a refund or a dispute.
    pub is_of_charge: bool,
}

/// The state of a `PaymentIntent` as Stripe answers it.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    pub key: Uuid,
    pub amount: Money,
    pub outcome: Outcome,
    /// The amount given back: refunds, and disputes that were lost.
    pub given_back: Money,
    pub dispute: Option<Dispute>,
}

/// The intents that are cancelled when they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Those whose try failed. A customer may still confirm one that waits for that.
    Failed,
    /// All that have taken nothing and are not about to.
    Any,
}

/// The reason why a card's token is of no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCardToken {
    #[error("Stripe does not know the token")]
    Unknown,
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

#[derive(Deserialize)]
struct EventBody {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: EventData,
}

#[derive(Deserialize)]
struct EventData {
    object: EventObject,
}

#[derive(Deserialize)]
struct EventObject {
    object: String,
    #[serde(default)]
    id: String,
    payment_intent: Option<String>,
}

#[derive(Deserialize)]
struct Token {
    card: Option<TokenCard>,
}

#[derive(Deserialize)]
struct TokenCard {
    brand: String,
    last4: String,
}

#[derive(Deserialize)]
struct Refund {
    amount: i64,
    status: Option<String>,
}

#[derive(Deserialize)]
struct StripeDispute {
    amount: i64,
    reason: String,
    status: String,
}

impl Stripe {
    pub const NAME: &str = "stripe";

    /// Reads the keys, and the address if it isn't Stripe's. `pool` is of a database with this service's tables.
    pub fn new(pool: PgPool, env: &Env) -> Result<Self, EnvError> {
        if let Some(reason) = currency::refusal() {
            return Err(EnvError::Invalid {
                name: "TIFFIN_PAYMENT_PROVIDER",
                reason,
            });
        }
        let settings = Settings::read(env)?;
        Ok(Self {
            pool,
            secrets: settings.webhook_secrets,
            api: Api::new(settings.url, settings.secret_key, settings.timeout),
        })
    }

    /// The brand and last digits of a token's card.
    pub async fn card_of(&self, token: &str) -> Result<CardSummary, BadCardToken> {
        let is_plausible = token.len() <= 100
            && token.starts_with("tok_")
            && token
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_plausible {
            return Err(BadCardToken::Unknown);
        }
        match self
            .api
            .get::<Token>(&format!("tokens/{token}"), &[])
            .await?
        {
            Answer::Done(Token { card: Some(card) }) if card.is_plausible() => Ok(CardSummary {
                brand: card.brand,
                last4: card.last4,
            }),
            Answer::Done(_) | Answer::Refused(_) => Err(BadCardToken::Unknown),
        }
    }

    /// Checks a webhook's signature and reads its event; `None` if it is signed and no event.
    pub fn read_event(
        &self,
        signature: &str,
        body: &[u8],
        now: OffsetDateTime,
    ) -> Result<Option<StripeEvent>, BadSignature> {
        self.secrets.verify(signature, body, now)?;
        Ok(serde_json::from_slice(body).ok().map(EventBody::into_event))
    }

    /// True if the event took effect before.
    pub async fn knows_event(&self, id: &str) -> sqlx::Result<bool> {
        let found = sqlx::query_scalar!("select id from stripe_events where id = $1", id);
        Ok(found.fetch_optional(&self.pool).await?.is_some())
    }

    /// Remembers that an event took effect, and forgets some that are old.
    pub async fn remember_event(&self, id: &str, now: OffsetDateTime) -> sqlx::Result<()> {
        sqlx::query!(
            "with old as (
                delete from stripe_events where id in (
                    select id from stripe_events where received_at < $3 order by received_at limit 10
                    for update skip locked
                )
             )
             insert into stripe_events (id, received_at) values ($1, $2)
             on conflict on constraint stripe_events_pkey do nothing",
            id,
            now,
            now - REMEMBERED,
        )
        .execute(&self.pool)
        .await
        .map(drop)
    }

    /// Asks for a `PaymentIntent` that an event names. `None` if it isn't one of this platform. An intent that can't be
    /// paid any more is cancelled.
    pub async fn observe(&self, event: &StripeEvent) -> Result<Option<Observed>, Unanswered> {
        let Some(id) = &event.intent else {
            return Ok(None);
        };
        let Some(intent) = self.intent(id).await? else {
            return Ok(None);
        };
        let Some(key) = intent.payment() else {
            return Ok(None);
        };
        if intent.currency != currency::code() {
            return Ok(None);
        }
        self.remember_intent(key, &intent.id).await?;
        let asks_for_money = event.is_of_charge && intent.status == "succeeded";
        let (given_back, dispute) = if asks_for_money {
            let (refunded, _) = self.refunds(&intent.id).await?;
            let disputes = self.disputes(&intent.id).await?;
            (refunded + lost(&disputes), newest(disputes))
        } else {
            (Money::ZERO, None)
        };
        Ok(Some(Observed {
            key,
            amount: from_minor_units(intent.amount),
            outcome: self.outcome(intent, End::Failed).await?,
            given_back,
            dispute,
        }))
    }

    async fn create(&self, charge: &Charge, token: &str) -> Result<Outcome, Unanswered> {
        let key = charge.key.to_string();
        let amount = minor_units(charge.amount).to_string();
        let currency = currency::code();
        let form = [
            ("amount", amount.as_str()),
            ("currency", currency.as_str()),
            ("confirm", "true"),
            ("payment_method_types[0]", "card"),
            ("payment_method_data[type]", "card"),
            ("payment_method_data[card][token]", token),
            ("metadata[payment]", &key),
        ];
        let answer = self
            .api
            .post::<Intent>("payment_intents", &form, Some(&key));
        match answer.await? {
            Answer::Done(intent) => {
                self.remember_intent(charge.key, &intent.id).await?;
                self.outcome(intent, End::Failed).await
            }
            Answer::Refused(error) => {
                if let Some(intent) = &error.payment_intent {
                    self.remember_intent(charge.key, &intent.id).await?;
                }
                // Another request had the key: the reconciler has closed it.
                let is_closed = error.is_of_key();
                let reason = if is_closed {
                    CLOSED.to_owned()
                } else {
                    error.reason()
                };
                Ok(Outcome::Declined(reason))
            }
        }
    }

    /// Makes an intent that takes nothing with a key that has none. A charge that is still on its way is refused then,
    /// because Stripe answers a key for one request only.
    async fn close(&self, key: Uuid) -> Result<Outcome, Unanswered> {
        let text = key.to_string();
        let amount = minor_units(CLOSING_AMOUNT).to_string();
        let currency = currency::code();
        let form = [
            ("amount", amount.as_str()),
            ("currency", currency.as_str()),
            ("payment_method_types[0]", "card"),
            ("metadata[payment]", &text),
            ("metadata[closed]", "true"),
        ];
        let answer = self
            .api
            .post::<Intent>("payment_intents", &form, Some(&text));
        match answer.await? {
            Answer::Done(intent) => {
                self.remember_intent(key, &intent.id).await?;
                self.outcome(intent, End::Any).await
            }
            Answer::Refused(error) if error.is_of_key() => Err(Unanswered(
                "Stripe has the charge and does not find it yet".to_owned(),
            )),
            Answer::Refused(error) => Err(Unanswered(error.reason())),
        }
    }

    /// The outcome of an intent. One at its `end` is cancelled first, so that nothing is taken with it later.
    async fn outcome(&self, intent: Intent, end: End) -> Result<Outcome, Unanswered> {
        match intent.status.as_str() {
            "succeeded" => Ok(Outcome::Captured),
            "canceled" => Ok(Outcome::Declined(intent.reason())),
            "processing" => Ok(Outcome::Open(Step::Wait)),
            "requires_action" if end == End::Failed => {
                let step = intent.client_secret.map_or(Step::Wait, Step::Confirm);
                Ok(Outcome::Open(step))
            }
            _ if end == End::Failed && intent.last_payment_error.is_none() => {
                Ok(Outcome::Open(Step::Wait))
            }
            _ => self.cancel(intent).await,
        }
    }

    async fn cancel(&self, intent: Intent) -> Result<Outcome, Unanswered> {
        let path = format!("payment_intents/{}/cancel", intent.id);
        let reason = intent.reason();
        match self.api.post::<Intent>(&path, &[], None).await? {
            Answer::Done(_) => Ok(Outcome::Declined(reason)),
            // It was paid, or cancelled, in the meantime.
            Answer::Refused(_) => match self.intent(&intent.id).await? {
                Some(now) if now.status == "succeeded" => Ok(Outcome::Captured),
                Some(now) if now.status == "canceled" => Ok(Outcome::Declined(reason)),
                _ => Err(Unanswered("Stripe does not cancel the payment".to_owned())),
            },
        }
    }

    /// An intent; `None` if this account has none with that id.
    async fn intent(&self, id: &str) -> Result<Option<Intent>, Unanswered> {
        match self.api.get(&format!("payment_intents/{id}"), &[]).await? {
            Answer::Done(intent) => Ok(Some(intent)),
            Answer::Refused(_) => Ok(None),
        }
    }

    /// The intent of a payment as it is stored, or else as Stripe's search finds it. The search lags by some seconds.
    async fn find(&self, key: Uuid) -> Result<Option<Intent>, Unanswered> {
        if let Some(id) = self.stored_intent(key).await? {
            return self.intent(&id).await;
        }
        let query = format!("metadata['payment']:'{key}'");
        let query = [("query", query.as_str())];
        let found: List<Intent> = match self.api.get("payment_intents/search", &query).await? {
            Answer::Done(list) => list,
            Answer::Refused(error) => return Err(Unanswered(error.reason())),
        };
        let intent = found
            .data
            .into_iter()
            .find(|intent| intent.payment() == Some(key));
        if let Some(intent) = &intent {
            self.remember_intent(key, &intent.id).await?;
        }
        Ok(intent)
    }

    async fn stored_intent(&self, key: Uuid) -> Result<Option<String>, Unanswered> {
        sqlx::query_scalar!(
            "select intent from stripe_intents where payment_id = $1",
            key
        )
        .fetch_optional(&self.pool)
        .await
        .map_err(|error| Unanswered(error.to_string()))
    }

    async fn remember_intent(&self, key: Uuid, id: &str) -> Result<(), Unanswered> {
        sqlx::query!(
            "insert into stripe_intents (payment_id, intent) values ($1, $2) on conflict do nothing",
            key,
            id,
        )
        .execute(&self.pool)
        .await
        .map(drop)
        .map_err(|error| Unanswered(error.to_string()))
    }

    /// The refunded amount of an intent, and the number of refunds that failed.
    async fn refunds(&self, intent: &str) -> Result<(Money, usize), Unanswered> {
        let all: Vec<Refund> = self.list("refunds", intent).await?;
        let (failed, made): (Vec<_>, Vec<_>) = all.iter().partition(|refund| refund.has_failed());
        let sum = made.iter().map(|refund| from_minor_units(refund.amount));
        Ok((sum.sum(), failed.len()))
    }

    /// The newest comes first.
    async fn disputes(&self, intent: &str) -> Result<Vec<StripeDispute>, Unanswered> {
        self.list("disputes", intent).await
    }

    async fn list<T: DeserializeOwned>(
        &self,
        path: &str,
        intent: &str,
    ) -> Result<Vec<T>, Unanswered> {
        let query = [("payment_intent", intent), ("limit", "100")];
        match self.api.get::<List<T>>(path, &query).await? {
            Answer::Done(list) => Ok(list.data),
            Answer::Refused(error) => Err(Unanswered(error.reason())),
        }
    }

    async fn refund_up_to(&self, key: Uuid, in_all: Money) -> Result<(), Unanswered> {
        let intent = self.find(key).await?;
        let intent =
            intent.ok_or_else(|| Unanswered("Stripe does not find the payment".to_owned()))?;
        let (refunded, failed) = self.refunds(&intent.id).await?;
        let so_far = refunded + lost(&self.disputes(&intent.id).await?);
        if so_far >= in_all {
            return Ok(());
        }
        let rest = minor_units(in_all) - minor_units(so_far);
        let form = [
            ("payment_intent", intent.id.as_str()),
            ("amount", &rest.to_string()),
            ("metadata[payment]", &key.to_string()),
        ];
        // Two that refund at once have the same key, and so does one that is tried again after its answer was lost.
        let idempotency = format!("refund-{key}-{}-{failed}", minor_units(so_far));
        match self
            .api
            .post::<Refund>("refunds", &form, Some(&idempotency))
            .await?
        {
            Answer::Done(refund) if !refund.has_failed() => Ok(()),
            Answer::Done(_) => Err(Unanswered("the refund failed".to_owned())),
            Answer::Refused(error) => Err(Unanswered(error.reason())),
        }
    }
}

impl Provider for Stripe {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Cards alone.
    fn takes(&self, kind: PaymentType) -> bool {
        kind == PaymentType::Card
    }

    fn charge(&self, charge: Charge) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        async move {
            match &charge.means {
                // Stripe takes no payment of nothing.
                _ if charge.amount == Money::ZERO => Ok(Outcome::Captured),
                Means::CardToken(token) => self.create(&charge, token.id()).await,
                Means::Card(_) | Means::PayPal | Means::BankTransfer => {
                    Ok(Outcome::Declined("means_not_taken".to_owned()))
                }
            }
        }
        .boxed()
    }

    fn settle(&self, key: Uuid) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        async move {
            match self.find(key).await? {
                Some(intent) => self.outcome(intent, End::Any).await,
                None => self.close(key).await,
            }
        }
        .boxed()
    }

    fn look(&self, key: Uuid) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        async move {
            let Some(id) = self.stored_intent(key).await? else {
                return Ok(Outcome::Open(Step::Wait));
            };
            match self.intent(&id).await? {
                Some(intent) => self.outcome(intent, End::Failed).await,
                None => Ok(Outcome::Open(Step::Wait)),
            }
        }
        .boxed()
    }

    fn refund(&self, key: Uuid, in_all: Money) -> BoxFuture<'_, Result<(), Unanswered>> {
        async move {
            if in_all == Money::ZERO {
                return Ok(());
            }
            self.refund_up_to(key, in_all).await
        }
        .boxed()
    }
}

impl EventBody {
    fn into_event(self) -> StripeEvent {
        let object = self.data.object;
        let is_of_intent = object.object == "payment_intent";
        let intent = if is_of_intent {
            Some(object.id)
        } else {
            object.payment_intent
        };
        // It becomes a part of an address.
        let is_id = |id: &String| {
            id.starts_with("pi_")
                && id.len() <= 100
                && id
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        StripeEvent {
            id: self.id,
            intent: intent.filter(is_id),
            is_of_charge: self.kind.starts_with("charge.") || self.kind.starts_with("refund."),
        }
    }
}

impl TokenCard {
    fn is_plausible(&self) -> bool {
        let is_letter = |letter: char| letter.is_ascii_alphabetic() || letter == ' ';
        self.last4.len() == 4
            && self.last4.bytes().all(|byte| byte.is_ascii_digit())
            && (1..=40).contains(&self.brand.len())
            && self.brand.chars().all(is_letter)
    }
}

impl Refund {
    fn has_failed(&self) -> bool {
        matches!(self.status.as_deref(), Some("failed" | "canceled"))
    }
}

impl StripeDispute {
    fn state(&self) -> DisputeState {
        match self.status.as_str() {
            "won" | "warning_closed" => DisputeState::Won,
            "lost" => DisputeState::Lost,
            _ => DisputeState::Open,
        }
    }
}

/// The amount that lost disputes took away.
fn lost(disputes: &[StripeDispute]) -> Money {
    let lost = disputes
        .iter()
        .filter(|one| one.state() == DisputeState::Lost);
    lost.map(|one| from_minor_units(one.amount)).sum()
}

fn newest(disputes: Vec<StripeDispute>) -> Option<Dispute> {
    let newest = disputes.into_iter().next()?;
    Some(Dispute {
        state: newest.state(),
        amount: from_minor_units(newest.amount),
        reason: api::word(&newest.reason).unwrap_or("general").to_owned(),
    })
}
