//! The table `payments`.

use std::collections::HashSet;

use sqlx::{PgConnection, PgPool};
use tiffin_bus::Cause;
use tiffin_chassis::paging::Cursor;
use tiffin_events::{
    CheckoutId, Money, OrderId, PaymentId, UserId,
    payment::{DisputeState, PaymentType},
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    card::CardSummary,
    error::Error,
    payment::{Dispute, OrderOfPayment, Payment, Refusal, Status},
};

/// The number of tries after which a refund counts as delayed: about a minute.
pub const DELAYED_AFTER: i32 = 6;

/// A stored row, with the fields of its order that a payment needs.
struct PaymentRow {
    id: Uuid,
    order_id: Uuid,
    code: String,
    checkout_id: Uuid,
    customer_id: Uuid,
    owner_id: Uuid,
    amount: i64,
    to_refund: i64,
    refunded: i64,
    kind: String,
    card_brand: Option<String>,
    card_last4: Option<String>,
    status: String,
    decline_reason: Option<String>,
    request_key: Option<String>,
    created_at: OffsetDateTime,
    dispute: Option<String>,
    dispute_reason: Option<String>,
    disputed: Option<i64>,
    refund_actor: Option<String>,
    refund_causation: Option<Uuid>,
    refund_trace: Option<String>,
    version: i64,
    rank: i64,
}

/// A selection of payments. `None` sets no limit.
#[derive(Clone, Copy, Debug)]
pub struct Filter<'a> {
    pub id: Option<Uuid>,
    pub customer: Option<Uuid>,
    /// The payments of one checkout's orders.
    pub checkout: Option<Uuid>,
    pub kind: Option<PaymentType>,
    /// Refunds under way that the provider has failed to make several times.
    pub is_delayed: bool,
    /// A part of the order's code, or of the customer's name or e-mail address.
    pub words: Option<&'a str>,
    /// `newest`, `oldest`, `amount` or `smallest`.
    pub sort: &'static str,
    pub after: Option<&'a Cursor>,
    pub limit: i64,
}

impl Filter<'_> {
    pub fn all() -> Self {
        Self {
            id: None,
            customer: None,
            checkout: None,
            kind: None,
            is_delayed: false,
            words: None,
            sort: "newest",
            after: None,
            limit: i64::MAX,
        }
    }
}

pub async fn list(
    tx: &mut PgConnection,
    filter: Filter<'_>,
) -> Result<Vec<(Payment, Cursor)>, Error> {
    let rows = sqlx::query_as!(
        PaymentRow,
        r#"with found as (
         select p.id, p.order_id, o.code, o.checkout_id, p.customer_id, o.owner_id, p.amount, p.to_refund,
                p.refunded, p.kind, p.card_brand, p.card_last4, p.status, p.decline_reason, p.request_key, p.created_at,
                p.dispute, p.dispute_reason, p.disputed, p.refund_actor, p.refund_causation, p.refund_trace, p.version,
                case $6 when 'oldest' then (extract(epoch from p.created_at) * 1000000)::bigint
                        when 'amount' then -p.amount
                        when 'smallest' then p.amount
                        else 0 end as rank
         from payments p
         join orders o on o.id = p.order_id
         left join people c on c.id = p.customer_id
         where ($1::uuid is null or p.id = $1)
           and ($2::uuid is null or p.customer_id = $2)
           and ($3::uuid is null or o.checkout_id = $3)
           and ($4::text is null or p.kind = $4)
           and (not $10 or p.status = 'refunding' and p.attempts >= $11)
           and ($5::text is null
                or position(lower($5) in lower(concat_ws(E'\n', o.code, c.name, c.email))) > 0)
         )
         select id, order_id, code, checkout_id, customer_id, owner_id, amount, to_refund, refunded, kind,
                card_brand, card_last4, status, decline_reason, request_key, created_at, dispute,
                dispute_reason, disputed, refund_actor, refund_causation, refund_trace, version,
                rank as "rank!"
         from found
         where $7::bigint is null or rank > $7 or rank = $7 and id < $8::uuid
         order by rank, id desc
         limit $9"#,
        filter.id,
        filter.customer,
        filter.checkout,
        filter.kind.map(PaymentType::as_str),
        filter.words,
        filter.sort,
        filter.after.map(|cursor| cursor.rank),
        filter.after.map(|cursor| cursor.id),
        filter.limit,
        filter.is_delayed,
        DELAYED_AFTER,
    )
    .fetch_all(tx)
    .await?;
    let payments = rows.into_iter().map(|row| {
        let cursor = Cursor {
            word: String::new(),
            rank: row.rank,
            id: row.id,
        };
        Ok((row.into_payment()?, cursor))
    });
    payments.collect()
}

/// One payment.
pub async fn find(tx: &mut PgConnection, id: PaymentId) -> Result<Option<Payment>, Error> {
    let filter = Filter {
        id: Some(id.0),
        ..Filter::all()
    };
    let found = list(tx, filter).await?.pop();
    Ok(found.map(|(payment, _)| payment))
}

/// Those of some payments whose refund is delayed.
pub async fn delayed(tx: &mut PgConnection, payments: &[Uuid]) -> sqlx::Result<HashSet<Uuid>> {
    let delayed = sqlx::query_scalar!(
        "select id from payments where id = any ($1) and status = 'refunding' and attempts >= $2",
        payments,
        DELAYED_AFTER,
    );
    Ok(delayed.fetch_all(tx).await?.into_iter().collect())
}

/// Saves an intent. The reconciler settles it at `due_at` if it has no outcome by then. `round` is the number
/// of earlier payments of the order.
pub async fn insert(
    tx: &mut PgConnection,
    payment: &Payment,
    round: usize,
    provider: &str,
    due_at: OffsetDateTime,
) -> Result<(), Error> {
    let inserted = sqlx::query!(
        "insert into payments (id, order_id, customer_id, amount, kind, card_brand, card_last4, status, provider,
                               request_key, created_at, due_at, round)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        payment.id.0,
        payment.order.id.0,
        payment.order.customer_id.0,
        payment.amount.cents(),
        payment.kind.as_str(),
        payment.card.as_ref().map(|card| card.brand.as_str()),
        payment.card.as_ref().map(|card| card.last4.as_str()),
        payment.status.as_str(),
        provider,
        payment.request_key,
        payment.created_at,
        due_at,
        i32::try_from(round).unwrap_or(i32::MAX),
    )
    .execute(tx)
    .await;
    match inserted {
        Ok(_) => Ok(()),
        Err(sqlx::Error::Database(error)) if error.constraint() == Some("payments_request_key") => {
            Err(Refusal::KeyReused.into())
        }
        Err(sqlx::Error::Database(error)) if error.constraint() == Some("payments_order_key") => {
            Err(Refusal::UnderWay.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Saves a changed payment with its new sequence. A refund that is called for is due at once.
pub async fn update(
    tx: &mut PgConnection,
    payment: &Payment,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let cause = payment.refund_cause.as_ref();
    let dispute = payment.dispute.as_ref();
    sqlx::query!(
        "update payments
         set status = $2, decline_reason = $3, version = $4,
             refund_actor = $5, refund_causation = $6, refund_trace = $7, to_refund = $9, refunded = $10,
             dispute = $11, dispute_reason = $12, disputed = $13,
             due_at = case when $2 = status and $9 = to_refund then due_at when $2 = 'refunding' then $8 end,
             attempts = case when $2 = status and $9 = to_refund then attempts else 0 end
         where id = $1",
        payment.id.0,
        payment.status.as_str(),
        payment.decline_reason,
        payment.sequence,
        cause.map(|cause| cause.actor.as_str()),
        cause.and_then(|cause| cause.causation),
        cause.and_then(|cause| cause.traceparent.as_deref()),
        now,
        payment.to_refund.cents(),
        payment.refunded.cents(),
        dispute.map(|dispute| dispute.state.as_str()),
        dispute.map(|dispute| dispute.reason.as_str()),
        dispute.map(|dispute| dispute.amount.cents()),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Lets the reconciler settle a pending payment sooner.
pub async fn set_due(pool: &PgPool, id: PaymentId, due_at: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!(
        "update payments set due_at = $2 where id = $1 and status = 'pending'",
        id.0,
        due_at
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Claims the payment that has been due the longest, if there is one. It becomes due again after a pause that
/// grows with each attempt, up to ten minutes.
pub async fn claim(
    pool: &PgPool,
    provider: &str,
    now: OffsetDateTime,
) -> Result<Option<PaymentId>, Error> {
    const MAX_PAUSE: Duration = Duration::minutes(10);
    let taken = sqlx::query_scalar!(
        "update payments
         set attempts = attempts + 1,
             due_at = $1::timestamptz + least(interval '2 s' * power(2, least(attempts, 20)), $3 * interval '1 s')
         where id = (
            select id from payments where due_at <= $1 and provider = $2
            order by due_at limit 1 for update skip locked
         )
         returning id",
        now,
        provider,
        MAX_PAUSE.as_seconds_f64(),
    )
    .fetch_optional(pool)
    .await?;
    Ok(taken.map(PaymentId))
}

impl PaymentRow {
    fn into_payment(self) -> Result<Payment, Error> {
        let card = self.card_brand.zip(self.card_last4);
        let dispute = match (self.dispute, self.dispute_reason, self.disputed) {
            (Some(state), Some(reason), Some(amount)) => Some(Dispute {
                state: DisputeState::parse(&state).ok_or_else(|| unreadable("dispute", &state))?,
                amount: Money::from_cents(amount),
                reason,
            }),
            _ => None,
        };
        Ok(Payment {
            id: PaymentId(self.id),
            order: OrderOfPayment {
                id: OrderId(self.order_id),
                code: self.code,
                checkout_id: CheckoutId(self.checkout_id),
                customer_id: UserId(self.customer_id),
                owner_id: UserId(self.owner_id),
            },
            amount: Money::from_cents(self.amount),
            to_refund: Money::from_cents(self.to_refund),
            refunded: Money::from_cents(self.refunded),
            kind: PaymentType::parse(&self.kind).ok_or_else(|| unreadable("kind", &self.kind))?,
            card: card.map(|(brand, last4)| CardSummary { brand, last4 }),
            status: Status::parse(&self.status)
                .ok_or_else(|| unreadable("status", &self.status))?,
            decline_reason: self.decline_reason,
            request_key: self.request_key,
            created_at: self.created_at,
            dispute,
            refund_cause: self.refund_actor.map(|actor| Cause {
                actor,
                correlation: Some(self.order_id),
                causation: self.refund_causation,
                traceparent: self.refund_trace,
            }),
            sequence: self.version,
        })
    }
}

fn unreadable(column: &str, value: &str) -> Error {
    Error::Unreadable(format!("payments.{column} holds {value:?}"))
}
