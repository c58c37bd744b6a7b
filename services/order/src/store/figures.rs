//! Sums over orders. Days and hours are those of the platform's time zone.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use sqlx::PgConnection;
use tiffin_chassis::{Scope, TimeZone};
use tiffin_events::Money;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::figures::{DayFigures, Figures, HourFigures, ItemFigures, Wait};

/// The number of top dishes.
const TOP_ITEMS: usize = 10;

/// A selection of orders.
#[derive(Clone, Copy, Debug)]
pub struct FiguresFilter<'a> {
    /// The caller's orders.
    pub scope: Scope,
    /// The orders of this restaurant; all if `None`.
    pub restaurant: Option<Uuid>,
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    pub time_zone: &'a TimeZone,
}

impl FiguresFilter<'_> {
    /// The first moment of the first day.
    fn start(&self) -> OffsetDateTime {
        self.time_zone.start_of(self.from)
    }

    /// The first moment after the last day.
    fn end(&self) -> OffsetDateTime {
        let after = self.to.next_day().unwrap_or(self.to);
        self.time_zone.start_of(after)
    }
}

pub async fn read(tx: &mut PgConnection, filter: FiguresFilter<'_>) -> sqlx::Result<Figures> {
    let sums = sums(tx, filter).await?;
    let waits = waits(tx, filter).await?;
    let days = days(&sums, filter);
    Ok(Figures {
        from: filter.from,
        to: filter.to,
        orders: days.iter().map(|day| day.orders).sum(),
        revenue: days.iter().map(|day| day.revenue).sum(),
        unpaid: days.iter().map(|day| day.unpaid).sum(),
        hours: hours(&sums),
        best_items: best_items(sums),
        days,
        cancelled: waits.cancelled,
        to_confirm: waits.to_confirm,
        to_deliver: waits.to_deliver,
    })
}

/// The sums of one day, one hour or one dish: one of the three is set.
struct Sum {
    day: Option<Date>,
    hour: Option<i32>,
    item_id: Option<Uuid>,
    name: String,
    image: Option<String>,
    orders: i64,
    quantity: i64,
    /// Cents.
    total: i64,
    /// Cents of the total that are paid.
    paid: i64,
}

impl Sum {
    fn revenue(&self) -> Money {
        Money::from_cents(self.paid)
    }

    fn unpaid(&self) -> Money {
        Money::from_cents(self.total - self.paid)
    }
}

/// Adds orders up by day, by hour and by dish. The money of a checkout is what was captured less refunds, at most the
/// prices of its live orders, less what people refunded of them. Each of these gets a share in proportion to its price.
/// The shares of a checkout add up to its money to the cent: each is the difference of two rounded sums.
async fn sums(tx: &mut PgConnection, filter: FiguresFilter<'_>) -> sqlx::Result<Vec<Sum>> {
    sqlx::query_as!(
        Sum,
        r#"with mine as materialized (
             select id, checkout_id, created_at at time zone $5 as at, item_id, item_name, image, quantity,
                    total - (select coalesce(sum(amount), 0)::bigint from refunds r where r.order_id = orders.id) as total
             from orders
             where created_at >= $3 and created_at < $4 and deleted_at is null and status <> 'cancelled'
               and ($1::uuid is null or owner_id = $1) and ($2::uuid is null or restaurant_id = $2)
           ), held as (
             select checkout_id, sum(amount - refunded) as money from payments
             where checkout_id in (select checkout_id from mine)
             group by checkout_id
           ), costs as (
             select id, checkout_id,
                    total - (select coalesce(sum(amount), 0)::bigint from refunds r where r.order_id = orders.id) as total
             from orders
             where checkout_id in (select checkout_id from mine) and deleted_at is null and status <> 'cancelled'
           ), live as (
             select id, total, sum(total) over (partition by checkout_id order by id) as until,
                    sum(total) over (partition by checkout_id) as whole, coalesce(money, 0) as money
             from costs left join held using (checkout_id)
           ), paid as (
             select id, coalesce(div(least(money, whole) * until, nullif(whole, 0))
                                 - div(least(money, whole) * (until - total), nullif(whole, 0)), 0) as paid
             from live
           )
           select at::date as "day?", extract(hour from at)::integer as "hour?", item_id as "item_id?",
                  (array_agg(item_name order by id desc))[1] as "name!",
                  (array_agg(image order by id desc))[1] as image, count(*) as "orders!",
                  sum(quantity)::bigint as "quantity!", sum(total)::bigint as "total!", sum(paid)::bigint as "paid!"
           from mine join paid using (id)
           group by grouping sets ((at::date), (extract(hour from at)::integer), (item_id))"#,
        filter.scope.owner,
        filter.restaurant,
        filter.start(),
        filter.end(),
        filter.time_zone.name(),
    )
    .fetch_all(tx)
    .await
}

/// Every day of the filter, quiet ones too.
fn days(sums: &[Sum], filter: FiguresFilter<'_>) -> Vec<DayFigures> {
    let by_day: HashMap<Date, &Sum> = sums.iter().filter_map(|it| Some((it.day?, it))).collect();
    let mut days = Vec::new();
    let mut next = Some(filter.from);
    while let Some(date) = next.filter(|day| *day <= filter.to) {
        let sum = by_day.get(&date);
        days.push(DayFigures {
            date,
            orders: sum.map_or(0, |sum| sum.orders),
            revenue: sum.map_or(Money::ZERO, |sum| sum.revenue()),
            unpaid: sum.map_or(Money::ZERO, |sum| sum.unpaid()),
        });
        next = date.next_day();
    }
    days
}

/// Every hour of the day.
fn hours(sums: &[Sum]) -> Vec<HourFigures> {
    let by_hour: HashMap<i32, &Sum> = sums.iter().filter_map(|it| Some((it.hour?, it))).collect();
    let figures = (0..24).map(|hour| {
        let sum = by_hour.get(&hour);
        HourFigures {
            hour,
            orders: sum.map_or(0, |sum| sum.orders),
            revenue: sum.map_or(Money::ZERO, |sum| sum.revenue()),
            unpaid: sum.map_or(Money::ZERO, |sum| sum.unpaid()),
        }
    });
    figures.collect()
}

/// The dishes that were ordered most, then others of those that brought most.
fn best_items(sums: Vec<Sum>) -> Vec<ItemFigures> {
    let mut items: Vec<(Uuid, Sum)> = sums
        .into_iter()
        .filter_map(|sum| Some((sum.item_id?, sum)))
        .collect();
    items.sort_by_key(|(id, sum)| (Reverse(sum.paid), Reverse(sum.quantity), *id));
    let earners: HashSet<Uuid> = items.iter().take(TOP_ITEMS).map(|(id, _)| *id).collect();
    items.sort_by_key(|(id, sum)| (Reverse(sum.quantity), Reverse(sum.total), *id));
    let best = items
        .into_iter()
        .enumerate()
        .filter(|(place, (id, _))| *place < TOP_ITEMS || earners.contains(id))
        .map(|(_, item)| item);
    let figures = best.map(|(item_id, sum)| ItemFigures {
        item_id,
        orders: sum.orders,
        quantity: sum.quantity,
        revenue: sum.revenue(),
        unpaid: sum.unpaid(),
        name: sum.name,
        image: sum.image,
    });
    figures.collect()
}

/// The number of cancellations, and the times to confirm and deliver.
struct Waits {
    cancelled: i64,
    to_confirm: Wait,
    to_deliver: Wait,
}

async fn waits(tx: &mut PgConnection, filter: FiguresFilter<'_>) -> sqlx::Result<Waits> {
    let row = sqlx::query!(
        r#"with mine as (
             select status,
                    extract(epoch from confirmed_at - created_at)::double precision as confirm,
                    extract(epoch from delivered_at - created_at)::double precision as deliver
             from orders
             where created_at >= $3 and created_at < $4 and deleted_at is null
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
        filter.start(),
        filter.end(),
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

#[cfg(test)]
mod tests {
    use super::{Sum, Uuid, best_items};

    fn dish(name: &str, quantity: i64, paid: i64) -> Sum {
        Sum {
            day: None,
            hour: None,
            item_id: Some(Uuid::from_u128(u128::try_from(paid).unwrap())),
            name: name.to_owned(),
            image: None,
            orders: quantity,
            quantity,
            total: paid,
            paid,
        }
    }

    #[test]
    fn the_best_dishes_are_those_ordered_most_and_those_that_brought_most() {
        let mut sums: Vec<Sum> = (1..=11)
            .map(|n| dish("Hoppers", 100 - n, 1000 + n))
            .collect();
        sums.push(dish("Crab curry", 1, 90_000));
        sums.push(dish("Water", 2, 10));
        let best: Vec<(String, i64)> = best_items(sums)
            .into_iter()
            .map(|dish| (dish.name, dish.quantity))
            .collect();
        let mut expected: Vec<(String, i64)> =
            (1..=11).map(|n| ("Hoppers".to_owned(), 100 - n)).collect();
        expected.push(("Crab curry".to_owned(), 1));
        assert_eq!(best, expected);
    }
}
