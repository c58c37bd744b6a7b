use futures_util::future::{BoxFuture, FutureExt};
use sqlx::PgPool;
use tiffin_events::Money;
use uuid::Uuid;

use super::{Charge, Means, Outcome, Provider, Unanswered};

/// Published test numbers that are accepted.
const ACCEPTED: [&str; 9] = [
    "4242424242424242",
    "4000056655665556",
    "5555555555554444",
    "2223003122003222",
    "5200828282828210",
    "6011111111111117",
    "3566002020360505",
    "3056930009020004",
    "6200000000000005",
];

/// Published test numbers that are refused, and the reasons.
const REFUSED: [(&str, &str); 6] = [
    ("4000000000000002", "card_declined"),
    ("4000000000009995", "insufficient_funds"),
    ("4000000000009987", "lost_card"),
    ("4000000000009979", "stolen_card"),
    ("4000000000000069", "expired_card"),
    ("4000000000000127", "incorrect_cvc"),
];

/// The published test number of a processing error: the money is taken and the answer is lost.
const ANSWER_LOST: &str = "4000000000000119";

const CAPTURED: &str = "captured";
/// The reason of any other card's refusal.
const NOT_A_TEST_CARD: &str = "not_a_test_card";
/// The reason with which a closed key is refused.
const CLOSED: &str = "not_charged";

/// The built-in provider. It takes no money, accepts only published test numbers, and stores every charge by
/// its key as a real one would.
#[derive(Clone, Debug)]
pub struct Sandbox {
    pool: PgPool,
}

impl Sandbox {
    pub const NAME: &str = "sandbox";

    /// Makes a sandbox that stores charges in `pool`, whose database has this service's tables.
    pub fn new(pool: PgPool) -> Self {
        Self { pool }
    }

    /// Stores the first result of a key, and returns the stored one.
    async fn record_once(
        &self,
        key: Uuid,
        amount: Option<i64>,
        result: &str,
    ) -> Result<Outcome, Unanswered> {
        sqlx::query!(
            "insert into sandbox_charges (key, amount, result) values ($1, $2, $3)
             on conflict on constraint sandbox_charges_pkey do nothing",
            key,
            amount,
            result,
        )
        .execute(&self.pool)
        .await
        .map_err(|error| unanswered(&error))?;
        let stored = sqlx::query_scalar!("select result from sandbox_charges where key = $1", key)
            .fetch_one(&self.pool)
            .await
            .map_err(|error| unanswered(&error))?;
        Ok(match stored.as_str() {
            CAPTURED => Outcome::Captured,
            _ => Outcome::Declined(stored),
        })
    }
}

impl Provider for Sandbox {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn charge(&self, charge: Charge) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        async move {
            let amount = Some(charge.amount.cents());
            let outcome = self
                .record_once(charge.key, amount, result(&charge.means))
                .await?;
            match &charge.means {
                Means::Card(card) if card.number() == ANSWER_LOST => {
                    Err(Unanswered("the sandbox was asked to lose it".to_owned()))
                }
                _ => Ok(outcome),
            }
        }
        .boxed()
    }

    fn settle(&self, key: Uuid) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        self.record_once(key, None, CLOSED).boxed()
    }

    fn refund(&self, key: Uuid, in_all: Money) -> BoxFuture<'_, Result<(), Unanswered>> {
        async move {
            sqlx::query!(
                "update sandbox_charges set given_back = greatest(given_back, least($3, amount))
                 where key = $1 and result = $2",
                key,
                CAPTURED,
                in_all.cents(),
            )
            .execute(&self.pool)
            .await
            .map(drop)
            .map_err(|error| unanswered(&error))
        }
        .boxed()
    }
}

/// The sandbox's outcome for a means of payment. Real cards are refused: it could not charge them.
fn result(means: &Means) -> &'static str {
    let card = match means {
        Means::Card(card) => card,
        Means::CardToken(_) => return NOT_A_TEST_CARD,
        Means::PayPal | Means::BankTransfer => return CAPTURED,
    };
    let number = card.number();
    if number == ANSWER_LOST || ACCEPTED.contains(&number) {
        return CAPTURED;
    }
    let refused = REFUSED.iter().find(|(known, _)| *known == number);
    refused.map_or(NOT_A_TEST_CARD, |(_, reason)| reason)
}

fn unanswered(error: &sqlx::Error) -> Unanswered {
    Unanswered(error.to_string())
}
