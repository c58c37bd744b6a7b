//! Deliveries as clients get them: with the order, names and phones joined in at the time of reading.

use sqlx::PgConnection;
use tiffin_chassis::Scope;
use tiffin_events::{DeliveryId, Money, delivery::DeliveryStatus};
use time::OffsetDateTime;
use uuid::Uuid;

use super::deliveries;
use crate::{
    delivery::Refusal,
    error::Error,
    view::{DeliveryCounts, DeliveryLocation, DeliveryView},
};

/// A selection of deliveries. A `None` does not narrow it.
#[derive(Clone, Copy, Debug)]
pub struct Filter<'a> {
    pub scope: Scope,
    pub id: Option<Uuid>,
    /// A part of a code, a dish, a name, an address …
    pub words: Option<&'a str>,
    pub status: Option<DeliveryStatus>,
    /// Only those that are not delivered yet.
    pub under_way: bool,
    /// Only those with a smaller id: older ones.
    pub before: Option<Uuid>,
    pub limit: i64,
}

impl Filter<'_> {
    pub fn all(scope: Scope) -> Self {
        Self {
            scope,
            id: None,
            words: None,
            status: None,
            under_way: false,
            before: None,
            limit: i64::MAX,
        }
    }
}

struct DeliveryListRow {
    id: Uuid,
    ticket_id: Uuid,
    order_code: String,
    item_name: String,
    image: Option<String>,
    quantity: i32,
    price: i64,
    total: i64,
    address: String,
    dest_lat: Option<f64>,
    dest_lng: Option<f64>,
    driver_id: Uuid,
    driver_name: Option<String>,
    driver_phone: Option<String>,
    driver_email: Option<String>,
    customer_email: Option<String>,
    customer_phone: Option<String>,
    status: String,
    declined: bool,
    estimated_time: OffsetDateTime,
    eta_earliest: Option<OffsetDateTime>,
    eta_latest: Option<OffsetDateTime>,
    promised_time: OffsetDateTime,
    created_at: OffsetDateTime,
    lat: Option<f64>,
    lng: Option<f64>,
    position_at: Option<OffsetDateTime>,
    restaurant_lat: Option<f64>,
    restaurant_lng: Option<f64>,
}

/// One delivery, as the caller sees it. A driver's e-mail address is not for the owner.
pub async fn find(
    tx: &mut PgConnection,
    scope: Scope,
    DeliveryId(id): DeliveryId,
) -> Result<DeliveryView, Error> {
    let filter = Filter {
        id: Some(id),
        limit: 1,
        ..Filter::all(scope)
    };
    list(tx, filter)
        .await?
        .pop()
        .ok_or(Refusal::NotFound.into())
}

/// Newest first. Those whose order was cancelled are not among them.
pub async fn list(tx: &mut PgConnection, filter: Filter<'_>) -> sqlx::Result<Vec<DeliveryView>> {
    let rows = sqlx::query_as!(
        DeliveryListRow,
        r#"select t.id, coalesce(f.id, t.id) as "ticket_id!", t.order_code, o.item_name, o.image, o.quantity, o.price, o.total, o.address,
                  o.dest_lat, o.dest_lng, t.driver_id,
                  nullif(trim(d.first_name || ' ' || d.last_name), '') as driver_name,
                  nullif(d.phone, '') as driver_phone, case when $2::uuid is null then nullif(d.email, '') end as driver_email,
                  c.email as "customer_email?", nullif(c.phone, '') as customer_phone,
                  t.status, $1::uuid is null and t.status = 'picked up'
                      and coalesce(t.driver_id = any (s.declined), false) as "declined!",
                  t.estimated_time, t.eta_earliest, t.eta_latest, t.created_at,
                  coalesce(t.promised_time, t.estimated_time) as "promised_time!",
                  case when t.status <> 'delivered' then t.lat end as lat,
                  case when t.status <> 'delivered' then t.lng end as lng,
                  case when t.status <> 'delivered' then t.position_at end as position_at,
                  r.lat as restaurant_lat, r.lng as restaurant_lng
           from deliveries t
           join orders o on o.id = t.order_id
           left join lateral (
               select m.id from orders p join deliveries m on m.order_id = p.id
               where p.checkout_id = o.checkout_id and p.restaurant_id = o.restaurant_id
                 and m.driver_id = t.driver_id and m.cancelled_at is null
               order by m.id limit 1
           ) f on true
           left join suggestions s on s.order_id = t.order_id
           left join restaurants r on r.id = t.restaurant_id
           left join people c on c.id = t.customer_id
           left join people d on d.id = t.driver_id
           where t.cancelled_at is null
             and ($1::uuid is null or t.customer_id = $1)
             and ($2::uuid is null or t.owner_id = $2)
             and ($3::uuid is null or t.driver_id = $3)
             and ($4::uuid is null or t.id = $4)
             and ($5::uuid is null or t.id < $5)
             and (not $6::bool or t.status <> 'delivered')
             and ($8::text is null or t.status = $8)
             and ($9::text is null
                  or position(lower($9) in lower(concat_ws(E'\n', t.order_code, o.item_name, o.address,
                         c.email, c.phone, d.first_name || ' ' || d.last_name, d.phone))) > 0)
           order by t.id desc
           limit $7"#,
        filter.scope.customer,
        filter.scope.owner,
        filter.scope.driver,
        filter.id,
        filter.before,
        filter.under_way,
        filter.limit,
        filter.status.map(DeliveryStatus::as_str),
        filter.words,
    )
    .fetch_all(tx)
    .await?;
    rows.into_iter().map(DeliveryListRow::into_view).collect()
}

/// The number of deliveries by status, without those whose order was cancelled.
pub async fn counts(tx: &mut PgConnection, scope: Scope) -> sqlx::Result<DeliveryCounts> {
    sqlx::query_as!(
        DeliveryCounts,
        r#"select count(*) filter (where status = 'picked up') as "picked_up!",
                  count(*) filter (where status = 'on the way') as "on_the_way!",
                  count(*) filter (where status = 'delivered') as "delivered!",
                  count(distinct driver_id) filter (where status <> 'delivered') as "drivers!"
           from deliveries
           where cancelled_at is null
             and ($1::uuid is null or customer_id = $1)
             and ($2::uuid is null or owner_id = $2)
             and ($3::uuid is null or driver_id = $3)"#,
        scope.customer,
        scope.owner,
        scope.driver,
    )
    .fetch_one(tx)
    .await
}

/// The driver's last position, while the delivery is under way.
pub async fn location(
    tx: &mut PgConnection,
    DeliveryId(id): DeliveryId,
) -> sqlx::Result<DeliveryLocation> {
    let row = sqlx::query!(
        "select lat, lng, position_at from deliveries where id = $1 and cancelled_at is null and status <> 'delivered'",
        id,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map_or(
        DeliveryLocation {
            lat: 0.0,
            lng: 0.0,
            at: None,
        },
        |row| DeliveryLocation {
            lat: row.lat.unwrap_or_default(),
            lng: row.lng.unwrap_or_default(),
            at: row.position_at,
        },
    ))
}

impl DeliveryListRow {
    fn into_view(self) -> sqlx::Result<DeliveryView> {
        Ok(DeliveryView {
            id: self.id,
            ticket_id: self.ticket_id,
            order_id: self.order_code,
            order_name: self.item_name,
            address: Some(self.address),
            driver_id: self.driver_id,
            driver_name: self.driver_name,
            driver_phone: self.driver_phone,
            driver_email: self.driver_email,
            status: deliveries::status(&self.status)?,
            declined: self.declined,
            estimated_time: Some(self.estimated_time),
            earliest_arrival: self.eta_earliest,
            latest_arrival: self.eta_latest,
            promised_time: Some(self.promised_time),
            item_image: self.image,
            customer_email: self.customer_email.unwrap_or_default(),
            phone: self.customer_phone,
            lat: self.lat.unwrap_or_default(),
            lng: self.lng.unwrap_or_default(),
            position_at: self.position_at,
            dest_lat: self.dest_lat.unwrap_or_default(),
            dest_lng: self.dest_lng.unwrap_or_default(),
            restaurant_lat: self.restaurant_lat.unwrap_or_default(),
            restaurant_lng: self.restaurant_lng.unwrap_or_default(),
            timestamp: self.created_at,
            price: Money::from_cents(self.price),
            total: Money::from_cents(self.total),
            qty: self.quantity,
        })
    }
}
