//! Sums over orders. Days and hours are those of [`TIME_ZONE`].

use sqlx::PgConnection;
use tiffin_chassis::Scope;
use tiffin_events::Money;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::figures::{DayFigures, Figures, HourFigures, ItemFigures, Wait};

/// The time zone of the restaurants, as the IANA database names it.
pub const TIME_ZONE: &str = "Asia/Colombo";
/// The number of top dishes.
const TOP_ITEMS: i64 = 10;

/// A selection of orders.
#[derive(Clone, Copy, Debug)]
pub struct FiguresFilter {
    /// The caller's orders.
    pub scope: Scope,
    /// The orders of this restaurant; all if `None`.
    pub restaurant: Option<Uuid>,
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
}

/// The day in [`TIME_ZONE`] at a moment.
pub async fn day_at(tx: &mut PgConnection, at: OffsetDateTime) -> sqlx::Result<Date> {
    sqlx::query_scalar!(
        r#"select ($1::timestamptz at time zone $2)::date as "day!""#,
        at,
        TIME_ZONE,
    )
    .fetch_one(tx)
    .await
}

pub async fn read(tx: &mut PgConnection, filter: FiguresFilter) -> sqlx::Result<Figures> {
    let days = days(tx, filter).await?;
    let waits = waits(tx, filter).await?;
    Ok(Figures {
        from: filter.from,
        to: filter.to,
        orders: days.iter().map(|day| day.orders).sum(),
        revenue: days.iter().map(|day| day.revenue).sum(),
        hours: hours(tx, filter).await?,
        best_items: best_items(tx, filter).await?,
        days,
        cancelled: waits.cancelled,
        to_confirm: waits.to_confirm,
        to_deliver: waits.to_deliver,
    })
}

async fn days(tx: &mut PgConnection, filter: FiguresFilter) -> sqlx::Result<Vec<DayFigures>> {
    let rows = sqlx::query!(
        r#"select d::date as "date!", count(o.id) as "orders!", coalesce(sum(o.total), 0)::bigint as "revenue!"
           from generate_series($3::date, $4::date, interval '1 day') d
           left join orders o
             on (o.created_at at time zone $5)::date = d::date
            and o.created_at >= $3::date::timestamp at time zone $5
            and o.created_at < ($4::date + 1)::timestamp at time zone $5
            and o.deleted_at is null and o.status <> 'cancelled'
            and ($1::uuid is null or o.owner_id = $1) and ($2::uuid is null or o.restaurant_id = $2)
           group by d order by d"#,
        filter.scope.owner,
        filter.restaurant,
        filter.from,
        filter.to,
        TIME_ZONE,
    )
    .fetch_all(tx)
    .await?;
    let days = rows.into_iter().map(|row| DayFigures {
        date: row.date,
        orders: row.orders,
        revenue: Money::from_cents(row.revenue),
    });
    Ok(days.collect())
}

async fn hours(tx: &mut PgConnection, filter: FiguresFilter) -> sqlx::Result<Vec<HourFigures>> {
    let rows = sqlx::query!(
        r#"select h as "hour!", count(o.id) as "orders!", coalesce(sum(o.total), 0)::bigint as "revenue!"
           from generate_series(0, 23) h
           left join orders o
             on extract(hour from o.created_at at time zone $5) = h
            and o.created_at >= $3::date::timestamp at time zone $5
            and o.created_at < ($4::date + 1)::timestamp at time zone $5
            and o.deleted_at is null and o.status <> 'cancelled'
            and ($1::uuid is null or o.owner_id = $1) and ($2::uuid is null or o.restaurant_id = $2)
           group by h order by h"#,
        filter.scope.owner,
        filter.restaurant,
        filter.from,
        filter.to,
        TIME_ZONE,
    )
    .fetch_all(tx)
    .await?;
    let hours = rows.into_iter().map(|row| HourFigures {
        hour: row.hour,
        orders: row.orders,
        revenue: Money::from_cents(row.revenue),
    });
    Ok(hours.collect())
}

async fn best_items(
    tx: &mut PgConnection,
    filter: FiguresFilter,
) -> sqlx::Result<Vec<ItemFigures>> {
    let rows = sqlx::query!(
        r#"select item_id, (array_agg(item_name order by id desc))[1] as "name!",
                  (array_agg(image order by id desc))[1] as image, count(*) as "orders!",
                  sum(quantity)::bigint as "quantity!", sum(total)::bigint as "revenue!"
           from orders
           where created_at >= $3::date::timestamp at time zone $5
             and created_at < ($4::date + 1)::timestamp at time zone $5
             and deleted_at is null and status <> 'cancelled'
             and ($1::uuid is null or owner_id = $1) and ($2::uuid is null or restaurant_id = $2)
           group by item_id
           order by sum(quantity) desc, sum(total) desc, item_id
           limit $6"#,
        filter.scope.owner,
        filter.restaurant,
        filter.from,
        filter.to,
        TIME_ZONE,
        TOP_ITEMS,
    )
    .fetch_all(tx)
    .await?;
    let items = rows.into_iter().map(|row| ItemFigures {
        item_id: row.item_id,
        name: row.name,
        image: row.image,
        orders: row.orders,
        quantity: row.quantity,
        revenue: Money::from_cents(row.revenue),
    });
    Ok(items.collect())
}

/// The number of cancellations, and the times to confirm and deliver.
struct Waits {
    cancelled: i64,
    to_confirm: Wait,
    to_deliver: Wait,
}

async fn waits(tx: &mut PgConnection, filter: FiguresFilter) -> sqlx::Result<Waits> {
    let row = sqlx::query!(
        r#"with mine as (
             select status,
                    extract(epoch from confirmed_at - created_at)::double precision as confirm,
                    extract(epoch from delivered_at - created_at)::double precision as deliver
             from orders
             where created_at >= $3::date::timestamp at time zone $5
               and created_at < ($4::date + 1)::timestamp at time zone $5
               and deleted_at is null
               and ($1::uuid is null or owner_id = $1) and ($2::uuid is null or restaurant_id = $2)
           )
           select count(*) filter (where status = 'cancelled') as "cancelled!",
                  count(confirm) as "confirmed!", round(avg(confirm))::bigint as confirm_mean,
                  round(percentile_cont(0.5) within group (order by confirm))::bigint as confirm_median,
                  count(deliver) as "delivered!", round(avg(deliver))::bigint as deliver_mean,
                  round(percentile_cont(0.5) within group (order by deliver))::bigint as deliver_median
           from mine"#,
        filter.scope.owner,
        filter.restaurant,
        filter.from,
        filter.to,
        TIME_ZONE,
    )
    .fetch_one(tx)
    .await?;
    Ok(Waits {
        cancelled: row.cancelled,
        to_confirm: Wait {
            orders: row.confirmed,
            mean: row.confirm_mean,
            median: row.confirm_median,
        },
        to_deliver: Wait {
            orders: row.delivered,
            mean: row.deliver_mean,
            median: row.deliver_median,
        },
    })
}
