//! Orders as people see them: with names, phones and the delivery joined in at the time of reading.

use sqlx::PgConnection;
use tiffin_chassis::{Scope, paging::Cursor};
use tiffin_events::{Money, OrderId, order::OrderStatus};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{orders, refunds};
use crate::{
    error::Error,
    order::Refusal,
    view::{OrderRefund, OrderView},
};

/// A selection of orders. A `None` does not narrow it.
#[derive(Clone, Copy, Debug)]
pub struct Filter<'a> {
    pub scope: Scope,
    pub id: Option<Uuid>,
    pub checkout: Option<Uuid>,
    pub status: Option<OrderStatus>,
    /// Neither delivered nor cancelled, or one of the two.
    pub is_open: Option<bool>,
    /// Approved, or waiting for it. A cancelled order waits for nothing.
    pub is_approved: Option<bool>,
    /// A part of a code, a name, a dish, an address …
    pub words: Option<&'a str>,
    /// `newest`, `oldest`, `amount` or `smallest`.
    pub sort: &'static str,
    pub after: Option<&'a Cursor>,
    pub limit: i64,
}

impl Filter<'_> {
    pub fn all(scope: Scope) -> Self {
        Self {
            scope,
            id: None,
            checkout: None,
            status: None,
            is_open: None,
            is_approved: None,
            words: None,
            sort: "newest",
            after: None,
            limit: i64::MAX,
        }
    }
}

struct OrderListRow {
    id: Uuid,
    code: String,
    checkout_id: Uuid,
    created_at: OffsetDateTime,
    total: i64,
    approved: bool,
    quantity: i32,
    status: String,
    driver_id: Option<Uuid>,
    address: String,
    dest_lat: Option<f64>,
    dest_lng: Option<f64>,
    item_name: String,
    image: Option<String>,
    note: Option<String>,
    price: i64,
    restaurant_id: Uuid,
    restaurant_name: Option<String>,
    email: Option<String>,
    customer_name: Option<String>,
    customer_phone: Option<String>,
    driver_name: Option<String>,
    driver_phone: Option<String>,
    delivery_id: Option<Uuid>,
    item_id: Uuid,
    is_paid: bool,
    cancelled_by: Option<String>,
    cancel_reason: Option<String>,
    cancel_note: Option<String>,
    answer_by: Option<OffsetDateTime>,
    usual_answer_minutes: Option<f64>,
    rank: i64,
}

/// One order, which the caller may see.
pub async fn find(tx: &mut PgConnection, OrderId(id): OrderId) -> Result<OrderView, Error> {
    let filter = Filter {
        id: Some(id),
        ..Filter::all(Scope::default())
    };
    let found = list(tx, filter).await?.pop();
    found
        .map(|(order, _)| order)
        .ok_or(Refusal::NotFound.into())
}

pub async fn list(
    tx: &mut PgConnection,
    filter: Filter<'_>,
) -> sqlx::Result<Vec<(OrderView, Cursor)>> {
    let rows = sqlx::query_as!(
        OrderListRow,
        r#"with found as (
           select o.id, o.code, o.checkout_id, o.created_at, o.total, o.approved, o.quantity, o.status,
                  o.driver_id, o.address, o.dest_lat, o.dest_lng, o.item_name, o.image,
                  -- It is for the kitchen, and may say who is ill.
                  case when $3::uuid is null then o.note end as note,
                  o.price, o.restaurant_id, r.name as restaurant_name, c.email,
                  nullif(trim(c.first_name || ' ' || c.last_name), '') as customer_name,
                  nullif(c.phone, '') as customer_phone,
                  nullif(trim(d.first_name || ' ' || d.last_name), '') as driver_name,
                  nullif(d.phone, '') as driver_phone,
                  t.delivery_id, o.item_id, o.cancelled_by, o.cancel_reason, o.cancel_note, o.answer_by,
                  case when o.answer_by is not null and $1::uuid is not null then (
                      select percentile_cont(0.5) within group (order by a.minutes)
                      from (select extract(epoch from b.confirmed_at - b.created_at)::double precision / 60 as minutes
                            from orders b where b.restaurant_id = o.restaurant_id and b.confirmed_at is not null
                            order by b.confirmed_at desc limit 20) a
                      having count(*) >= 5
                  ) end as usual_answer_minutes,
                  -- Paid is what the money of its whole checkout covers: all live orders less what people refunded of
                  -- them, or none of them.
                  o.status <> 'cancelled'
                  and (exists (select from payments p where p.checkout_id = o.checkout_id)
                       or exists (select from refunds r where r.checkout_id = o.checkout_id))
                  and coalesce((select sum(p.amount - p.refunded) from payments p where p.checkout_id = o.checkout_id), 0)
                      >= (select sum(l.total) from orders l
                          where l.checkout_id = o.checkout_id and l.status <> 'cancelled' and l.deleted_at is null)
                       - (select coalesce(sum(r.amount), 0) from refunds r join orders l on l.id = r.order_id
                          where r.checkout_id = o.checkout_id and l.status <> 'cancelled' and l.deleted_at is null)
                  as is_paid,
                  case $8 when 'oldest' then (extract(epoch from o.created_at) * 1000000)::bigint
                          when 'amount' then -o.total
                          when 'smallest' then o.total
                          else 0 end as rank
           from orders o
           left join restaurants r on r.id = o.restaurant_id
           left join people c on c.id = o.customer_id
           left join people d on d.id = o.driver_id
           left join deliveries t on t.order_id = o.id
           where o.deleted_at is null
             and ($1::uuid is null or o.customer_id = $1)
             and ($2::uuid is null or o.owner_id = $2)
             and ($3::uuid is null or o.driver_id = $3)
             and ($4::uuid is null or o.id = $4)
             and ($5::uuid is null or o.checkout_id = $5)
             and ($6::text is null or o.status = $6)
             and ($13::boolean is null or (o.status not in ('delivered', 'cancelled')) = $13)
             and ($12::boolean is null or o.approved = $12 and (o.approved or o.status <> 'cancelled'))
             and ($7::text is null
                  or position(lower($7) in lower(concat_ws(E'\n', o.code, o.item_name, r.name, o.address,
                         c.first_name || ' ' || c.last_name, c.email, c.phone,
                         d.first_name || ' ' || d.last_name))) > 0)
           )
           select id, code, checkout_id, created_at, total, approved, quantity, status, driver_id, address, dest_lat,
                  dest_lng, item_name, image, note, price, restaurant_id, restaurant_name as "restaurant_name?",
                  email as "email?", customer_name, customer_phone, driver_name, driver_phone,
                  delivery_id as "delivery_id?", item_id, is_paid as "is_paid!", cancelled_by, cancel_reason, cancel_note,
                  answer_by, usual_answer_minutes, rank as "rank!"
           from found
           where $9::bigint is null or rank > $9 or rank = $9 and id < $10::uuid
           order by rank, id desc
           limit $11"#,
        filter.scope.customer,
        filter.scope.owner,
        filter.scope.driver,
        filter.id,
        filter.checkout,
        filter.status.map(OrderStatus::as_str),
        filter.words,
        filter.sort,
        filter.after.map(|cursor| cursor.rank),
        filter.after.map(|cursor| cursor.id),
        filter.limit,
        filter.is_approved,
        filter.is_open,
    )
    .fetch_all(&mut *tx)
    .await?;
    let ids: Vec<_> = rows.iter().map(|row| row.id).collect();
    let mut refunds = refunds::of_orders(tx, &ids).await?;
    let views = rows.into_iter().map(|row| {
        let refunds = refunds.remove(&row.id).unwrap_or_default();
        row.into_view(refunds)
    });
    views.collect()
}

impl OrderListRow {
    fn into_view(self, refunds: Vec<OrderRefund>) -> sqlx::Result<(OrderView, Cursor)> {
        let cursor = Cursor {
            word: String::new(),
            rank: self.rank,
            id: self.id,
        };
        let view = OrderView {
            id: self.id,
            order_id: self.code,
            checkout_id: self.checkout_id,
            email: self.email.unwrap_or_default(),
            created_at: self.created_at,
            total_amount: Money::from_cents(self.total),
            is_approve: self.approved,
            is_paid: self.is_paid,
            refunds,
            quantity: self.quantity,
            status: orders::status(&self.status)?,
            cancellation: orders::cancellation(
                self.cancelled_by,
                self.cancel_reason,
                self.cancel_note,
            )?,
            answer_by: self.answer_by,
            usual_answer_minutes: self.usual_answer_minutes,
            assigned_driver: self.driver_id,
            driver_name: self.driver_name,
            driver_phone: self.driver_phone,
            delivery_id: self.delivery_id,
            address: Some(self.address),
            customer_name: self.customer_name,
            phone: self.customer_phone,
            lat: self.dest_lat.unwrap_or_default(),
            lng: self.dest_lng.unwrap_or_default(),
            key: self.item_id,
            item_name: self.item_name,
            image: self.image,
            note: self.note,
            price: Money::from_cents(self.price),
            restaurant_id: self.restaurant_id,
            restaurant_name: self.restaurant_name.unwrap_or_default(),
        };
        Ok((view, cursor))
    }
}
