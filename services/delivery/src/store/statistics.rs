//! Statistics of the trips of the last weeks.

use sqlx::PgConnection;
use tiffin_events::RestaurantId;
use time::{Duration, OffsetDateTime};

use crate::forecast::{LEADS, STOP, Spread, TripStatistics, Typical};

/// The age up to which trips count.
const WINDOW: Duration = Duration::weeks(8);
/// The number of trips that count, the newest ones.
const MAX_TRIPS: i64 = 20_000;
/// The shortest ride in seconds whose pace counts. Around the corner, stairs take longer than the street.
const SHORTEST_RIDE: f64 = 60.0;

/// Reads the statistics of the last weeks.
pub async fn read(
    connection: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<TripStatistics> {
    let mut statistics = TripStatistics::default();
    preparation(connection, now, &mut statistics).await?;
    pace(connection, now, &mut statistics).await?;
    spread(connection, now, &mut statistics).await?;
    Ok(statistics)
}

/// The times from order to assignment and from there to setting out, by restaurant and of all.
async fn preparation(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    statistics: &mut TripStatistics,
) -> sqlx::Result<()> {
    let rows = sqlx::query!(
        r#"select restaurant_id as "restaurant_id?", count(*) as "count!",
                  percentile_cont(0.5) within group (order by extract(epoch from set_out_at - assigned_at)::float8)
                      as "preparation!",
                  percentile_cont(0.5) within group (order by extract(epoch from assigned_at - ordered_at)::float8)
                      as "confirmation?"
           from (select * from trips where delivered_at > $1 order by delivered_at desc limit $2) as t
           where set_out_at is not null
           group by grouping sets ((restaurant_id), ())
           having count(*) > 0"#,
        now - WINDOW,
        MAX_TRIPS,
    )
    .fetch_all(connection)
    .await?;
    for row in rows {
        let typical = |median| Typical {
            count: row.count,
            median,
        };
        if let Some(restaurant) = row.restaurant_id {
            let restaurant = RestaurantId(restaurant);
            statistics
                .preparation
                .insert(restaurant, typical(row.preparation));
        } else {
            statistics.any_preparation = Some(typical(row.preparation));
            statistics.confirmation = row.confirmation.map(typical);
        }
    }
    Ok(())
}

/// The ratio of a ride's duration to the router's, by hour and of all.
async fn pace(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    statistics: &mut TripStatistics,
) -> sqlx::Result<()> {
    let rows = sqlx::query!(
        r#"select hour as "hour?", count(*) as "count!",
                  percentile_cont(0.5) within group (order by ratio) as "ratio!"
           from (select extract(hour from set_out_at at time zone 'UTC')::integer as hour,
                        greatest(extract(epoch from delivered_at - set_out_at)::float8 - $4, $4) / ride_seconds
                            as ratio
                 from trips
                 where delivered_at > $1 and set_out_at < delivered_at and ride_seconds >= $3
                 order by delivered_at desc limit $2) as t
           group by grouping sets ((hour), ())
           having count(*) > 0"#,
        now - WINDOW,
        MAX_TRIPS,
        SHORTEST_RIDE,
        STOP.as_seconds_f64(),
    )
    .fetch_all(connection)
    .await?;
    for row in rows {
        let typical = Typical {
            count: row.count,
            median: row.ratio,
        };
        match row.hour {
            Some(hour) => drop(statistics.pace.insert(hour, typical)),
            None => statistics.any_pace = Some(typical),
        }
    }
    Ok(())
}

/// The bounds of eight in ten arrivals, as parts of the expected time left, by the class of lead time.
async fn spread(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    statistics: &mut TripStatistics,
) -> sqlx::Result<()> {
    let rows = sqlx::query!(
        r#"select width_bucket(lead / 60, $3::float8[]) as "lead!", count(*) as "count!",
                  percentile_cont(0.1) within group (order by took / lead) as "low!",
                  percentile_cont(0.9) within group (order by took / lead) as "high!"
           from (select extract(epoch from s.expected_at - s.shown_at)::float8 as lead,
                        extract(epoch from t.delivered_at - s.shown_at)::float8 as took
                 from (select * from trips where delivered_at > $1 order by delivered_at desc limit $2) as t
                 join shown_ranges s on s.delivery_id = t.delivery_id and s.shown_at < t.delivered_at) as r
           where lead >= 60
           group by 1"#,
        now - WINDOW,
        MAX_TRIPS,
        &LEADS.map(f64::from),
    )
    .fetch_all(connection)
    .await?;
    for row in rows {
        let spread = Spread {
            count: row.count,
            low: row.low,
            high: row.high,
        };
        statistics.spread.insert(row.lead, spread);
    }
    Ok(())
}
