use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Problem, Query,
    paging::{self, Cursor, SearchTerm},
    refusal::{BadField, BadQuery, BadToken, BadValue, WrongCaller},
    refused_by,
};
use tiffin_events::{Role, payment::PaymentType};
use utoipa::{IntoParams, ToSchema};

use super::view::PaymentView;
use crate::store::payments::{self, Filter};

const LIST: &str = "/api/v1/payment";

/// The filters of the list.
#[derive(Debug, Deserialize, IntoParams)]
pub struct PaymentSearch {
    /// A part of the `bookingId`, or of the customer's name or e-mail address. At most 100 characters.
    #[serde(default)]
    #[param(value_type = Option<String>, max_length = 100)]
    q: SearchTerm,
    /// The means of payment.
    #[serde(rename = "type")]
    kind: Option<PaymentType>,
    /// `delayed`: refunds under way that the provider has failed to make several times.
    #[param(inline)]
    refund: Option<RefundFilter>,
    /// The order of the list; the newest first by default.
    #[serde(default)]
    #[param(value_type = Option<Sort>, inline)]
    sort: Sort,
    /// The largest number of rows, 1 to 500; the first 1,000 by default.
    limit: Option<i64>,
    /// The end of the previous page.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// A selection of payments by their refunds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = PaymentRefundFilter)]
pub enum RefundFilter {
    Delayed,
}

/// The order of a list of payments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = PaymentSort)]
pub enum Sort {
    #[default]
    Newest,
    Oldest,
    /// The largest amount first.
    Amount,
    /// The smallest amount first.
    Smallest,
}

refused_by! {
    ListPaymentsRefusals:
        BadQuery, BadField, BadToken, WrongCaller::{Role}, BadValue::{NoCursor, WordsTooLong},
}

/// Payments, including refused ones: a customer's own, or all for an administrator.
#[utoipa::path(
    get,
    path = "/api/v1/payment",
    tag = "payment",
    params(PaymentSearch),
    responses(
        (status = 200, description = "The payments; `Link` leads to the next page.", body = Vec<PaymentView>),
        ListPaymentsRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "admin"]))),
)]
pub async fn list_payments(
    State(state): State<crate::State>,
    caller: Caller,
    Query(search): Query<PaymentSearch>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Customer, Role::Admin])?;
    let filter = Filter {
        customer: (!caller.is_admin()).then_some(caller.id.0),
        kind: search.kind,
        is_delayed: search.refund.is_some(),
        words: search.q.text(),
        sort: search.sort.as_str(),
        after: search.cursor.as_ref(),
        limit: paging::sql_limit(search.limit),
        ..Filter::all()
    };
    let mut connection = state.pool.acquire().await?;
    let payments = payments::list(&mut connection, filter).await?.into_iter();
    let payments = payments.map(|(payment, cursor)| (PaymentView::from(payment), cursor));
    let mut payments: Vec<_> = payments.collect();
    let ids: Vec<_> = payments.iter().map(|(payment, _)| payment.id).collect();
    let delayed = payments::delayed(&mut connection, &ids).await?;
    for (payment, _) in &mut payments {
        payment.is_refund_delayed = delayed.contains(&payment.id);
    }
    let asked = [
        ("q", search.q.text()),
        (
            "refund",
            search.refund.map(|RefundFilter::Delayed| "delayed"),
        ),
        ("type", search.kind.map(PaymentType::as_str)),
        ("sort", Some(search.sort.as_str())),
    ];
    Ok(paging::answer(LIST, &asked, search.limit, payments))
}

impl Sort {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Oldest => "oldest",
            Self::Amount => "amount",
            Self::Smallest => "smallest",
        }
    }
}
