//! The table `orders`.

use serde::Serialize;
use sqlx::PgConnection;
use tiffin_chassis::Scope;
use tiffin_events::{
    CheckoutId, Coordinates, ItemId, Money, OrderCode, OrderId, RestaurantId, UserId,
    order::{CancelReason, OrderStatus},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    cancellation::{Cancellation, Side},
    deadline::Deadline,
    order::Order,
};

/// A row as it is stored.
#[derive(Serialize)]
pub(super) struct OrderRow {
    id: Uuid,
    code: String,
    checkout_id: Uuid,
    customer_id: Uuid,
    restaurant_id: Uuid,
    owner_id: Uuid,
    driver_id: Option<Uuid>,
    item_id: Uuid,
    item_name: String,
    image: Option<String>,
    note: Option<String>,
    quantity: i32,
    price: i64,
    total: i64,
    address: String,
    dest_lat: Option<f64>,
    dest_lng: Option<f64>,
    status: String,
    approved: bool,
    #[serde(with = "time::serde::rfc3339::option")]
    estimated_time: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339")]
    created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    answer_by: Option<OffsetDateTime>,
    reminders: i32,
    #[serde(with = "time::serde::rfc3339::option")]
    due_at: Option<OffsetDateTime>,
    #[serde(skip)]
    confirmed_at: Option<OffsetDateTime>,
    #[serde(skip)]
    delivered_at: Option<OffsetDateTime>,
    #[serde(skip)]
    deleted_at: Option<OffsetDateTime>,
    #[serde(skip)]
    cancelled_by: Option<String>,
    #[serde(skip)]
    cancel_reason: Option<String>,
    #[serde(skip)]
    cancel_note: Option<String>,
    version: i64,
}

/// The order that a path names by `_id` or `orderId`, if the caller may see it.
pub async fn find(tx: &mut PgConnection, scope: Scope, key: &str) -> sqlx::Result<Option<OrderId>> {
    let (id, code) = (key.parse::<Uuid>().ok(), OrderCode::parse(key));
    let found = sqlx::query_scalar!(
        "select id from orders
         where (id = $1 or code = $2) and deleted_at is null
           and ($3::uuid is null or customer_id = $3)
           and ($4::uuid is null or owner_id = $4)
           and ($5::uuid is null or driver_id = $5)",
        id,
        code.as_ref().map(OrderCode::as_str),
        scope.customer,
        scope.owner,
        scope.driver,
    )
    .fetch_optional(tx)
    .await?;
    Ok(found.map(OrderId))
}

/// One order, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, OrderId(id): OrderId) -> sqlx::Result<Option<Order>> {
    let row = sqlx::query_as!(
        OrderRow,
        "select id, code, checkout_id, customer_id, restaurant_id, owner_id, driver_id, item_id, item_name, image,
                note, quantity, price, total, address, dest_lat, dest_lng, status, approved, estimated_time,
                created_at, answer_by, reminders, due_at, confirmed_at, delivered_at, deleted_at, cancelled_by, cancel_reason, cancel_note, version
         from orders where id = $1 for update",
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(OrderRow::into_order).transpose()
}

/// Saves what transitions change; the rest of an order never does.
pub async fn update(tx: &mut PgConnection, order: &Order) -> sqlx::Result<()> {
    let cancellation = order.cancellation.as_ref();
    sqlx::query!(
        "update orders
         set driver_id = $2, status = $3, approved = $4, estimated_time = $5, confirmed_at = $6, delivered_at = $7,
             deleted_at = $8, cancelled_by = $9, cancel_reason = $10, cancel_note = $11, version = $12,
             answer_by = $13, reminders = coalesce($14, reminders), due_at = $15
         where id = $1",
        order.id.0,
        order.driver_id.map(|UserId(id)| id),
        order.status.as_str(),
        order.approved,
        order.estimated_time,
        order.confirmed_at,
        order.delivered_at,
        order.deleted_at,
        cancellation.map(|it| it.by.as_str()),
        cancellation.and_then(|it| it.reason).map(CancelReason::as_str),
        cancellation.and_then(|it| it.note.as_deref()),
        order.sequence,
        order.deadline.map(|deadline| deadline.answer_by),
        order.deadline.map(|deadline| deadline.reminders),
        due_at(order),
    )
    .execute(tx)
    .await?;
    Ok(())
}

fn due_at(order: &Order) -> Option<OffsetDateTime> {
    let deadline = order.deadline?;
    Some(deadline.due_at(order.created_at))
}

/// The orders that are due, those that have waited longest first, after the last one of the batch before.
pub async fn due(
    db: &mut PgConnection,
    now: OffsetDateTime,
    after: Option<(OffsetDateTime, OrderId)>,
    most: i64,
) -> sqlx::Result<Vec<(OffsetDateTime, OrderId)>> {
    let (since, id) = after.map_or((None, None), |(since, id)| (Some(since), Some(id.0)));
    let due = sqlx::query!(
        r#"select id, due_at as "due_at!" from orders
           where due_at <= $1 and ($2::timestamptz is null or (due_at, id) > ($2, $3::uuid))
           order by due_at, id limit $4"#,
        now,
        since,
        id,
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(due
        .into_iter()
        .map(|row| (row.due_at, OrderId(row.id)))
        .collect())
}

impl OrderRow {
    /// The row of an order that is placed.
    pub(super) fn of(order: &Order) -> Self {
        Self {
            id: order.id.0,
            code: order.code.to_string(),
            checkout_id: order.checkout_id.0,
            customer_id: order.customer_id.0,
            restaurant_id: order.restaurant_id.0,
            owner_id: order.owner_id.0,
            driver_id: order.driver_id.map(|UserId(id)| id),
            item_id: order.item_id.0,
            item_name: order.item_name.clone(),
            image: order.image.clone(),
            note: order.note.clone(),
            quantity: order.quantity,
            price: order.price.cents(),
            total: order.total.cents(),
            address: order.address.clone(),
            dest_lat: order.destination.map(|place| place.lat),
            dest_lng: order.destination.map(|place| place.lng),
            status: order.status.as_str().to_owned(),
            approved: order.approved,
            estimated_time: order.estimated_time,
            created_at: order.created_at,
            answer_by: order.deadline.map(|deadline| deadline.answer_by),
            reminders: order.deadline.map_or(0, |deadline| deadline.reminders),
            due_at: due_at(order),
            confirmed_at: order.confirmed_at,
            delivered_at: order.delivered_at,
            deleted_at: order.deleted_at,
            cancelled_by: None,
            cancel_reason: None,
            cancel_note: None,
            version: order.sequence,
        }
    }

    fn into_order(self) -> sqlx::Result<Order> {
        let cancellation = cancellation(self.cancelled_by, self.cancel_reason, self.cancel_note)?;
        Ok(Order {
            id: OrderId(self.id),
            code: OrderCode::parse(&self.code).ok_or_else(|| unreadable("code", &self.code))?,
            checkout_id: CheckoutId(self.checkout_id),
            customer_id: UserId(self.customer_id),
            restaurant_id: RestaurantId(self.restaurant_id),
            owner_id: UserId(self.owner_id),
            driver_id: self.driver_id.map(UserId),
            item_id: ItemId(self.item_id),
            item_name: self.item_name,
            image: self.image,
            note: self.note,
            quantity: self.quantity,
            price: Money::from_cents(self.price),
            total: Money::from_cents(self.total),
            address: self.address,
            destination: self
                .dest_lat
                .zip(self.dest_lng)
                .map(|(lat, lng)| Coordinates { lat, lng }),
            status: status(&self.status)?,
            approved: self.approved,
            estimated_time: self.estimated_time,
            created_at: self.created_at,
            deadline: self.answer_by.map(|answer_by| Deadline {
                answer_by,
                reminders: self.reminders,
            }),
            confirmed_at: self.confirmed_at,
            delivered_at: self.delivered_at,
            deleted_at: self.deleted_at,
            cancellation,
            sequence: self.version,
        })
    }
}

/// Reads a stored status.
pub fn status(text: &str) -> sqlx::Result<OrderStatus> {
    OrderStatus::parse(text).ok_or_else(|| unreadable("status", text))
}

/// Reads a stored cancellation.
pub fn cancellation(
    by: Option<String>,
    reason: Option<String>,
    note: Option<String>,
) -> sqlx::Result<Option<Cancellation>> {
    let Some(by) = by else { return Ok(None) };
    let reason = reason.map(|reason| {
        CancelReason::parse(&reason).ok_or_else(|| unreadable("cancel_reason", &reason))
    });
    Ok(Some(Cancellation {
        by: Side::parse(&by).ok_or_else(|| unreadable("cancelled_by", &by))?,
        reason: reason.transpose()?,
        note,
    }))
}

/// Deletes the addresses of a customer whose account is closed, and the notes from and to them.
pub async fn forget_personal(tx: &mut PgConnection, UserId(customer): UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "update orders set address = '', dest_lat = null, dest_lng = null, note = null, cancel_note = null
         where customer_id = $1",
        customer
    )
    .execute(tx)
    .await?;
    Ok(())
}

fn unreadable(column: &str, value: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("orders.{column} holds {value:?}").into())
}
