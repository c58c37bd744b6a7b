//! The scores of the ranges that were shown. A range that ended within a minute of the arrival held: ranges are to the
//! minute.

use sqlx::PgConnection;
use tiffin_chassis::Scope;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    forecast::LEADS,
    view::{AccuracyScore, DeliveryAccuracy},
};

struct ScoreRow {
    restaurant_id: Option<Uuid>,
    restaurant_name: Option<String>,
    hour: Option<i32>,
    lead: Option<i32>,
    shown: i64,
    held: i64,
    early: i64,
    late: i64,
    minutes_off: f64,
}

/// The scores of the deliveries that ended since a moment.
pub async fn read(
    connection: &mut PgConnection,
    scope: Scope,
    since: OffsetDateTime,
) -> sqlx::Result<DeliveryAccuracy> {
    let rows = sqlx::query_as!(
        ScoreRow,
        r#"select restaurant_id as "restaurant_id?", max(name) as restaurant_name, hour as "hour?", lead as "lead?",
                  count(*) as "shown!",
                  count(*) filter (where at >= earliest and at < latest + interval '1 minute') as "held!",
                  count(*) filter (where at < earliest) as "early!",
                  count(*) filter (where at >= latest + interval '1 minute') as "late!",
                  avg(abs(extract(epoch from at - expected_at)::float8)) / 60 as "minutes_off!"
           from (select t.restaurant_id, r.name, t.delivered_at as at, s.earliest, s.latest, s.expected_at,
                        extract(hour from s.shown_at at time zone 'UTC')::integer as hour,
                        width_bucket(extract(epoch from s.expected_at - s.shown_at)::float8 / 60, $3::float8[])
                            as lead
                 from trips t
                 join shown_ranges s on s.delivery_id = t.delivery_id and s.shown_at < t.delivered_at
                 left join restaurants r on r.id = t.restaurant_id
                 where t.delivered_at > $1 and ($2::uuid is null or t.owner_id = $2)) as scored
           group by grouping sets ((), (restaurant_id), (hour), (lead))
           having count(*) > 0
           order by "shown!" desc, restaurant_name, hour, lead"#,
        since,
        scope.owner,
        &LEADS.map(f64::from),
    )
    .fetch_all(connection)
    .await?;
    let mut accuracy = DeliveryAccuracy::default();
    for row in rows {
        let row_score = AccuracyScore {
            restaurant_id: row.restaurant_id,
            restaurant_name: row.restaurant_name.filter(|_| row.restaurant_id.is_some()),
            hour: row.hour,
            lead_minutes: row.lead.map(lead_minutes),
            shown: row.shown,
            held: row.held,
            early: row.early,
            late: row.late,
            minutes_off: row.minutes_off,
        };
        match (row.restaurant_id, row.hour, row.lead) {
            (Some(_), ..) => accuracy.by_restaurant.push(row_score),
            (_, Some(_), _) => accuracy.by_hour.push(row_score),
            (.., Some(_)) => accuracy.by_lead.push(row_score),
            (None, None, None) => accuracy.all = Some(row_score),
        }
    }
    accuracy.by_hour.sort_by_key(|score| score.hour);
    accuracy.by_lead.sort_by_key(|score| score.lead_minutes);
    Ok(accuracy)
}

/// The first minute of a class of lead time.
fn lead_minutes(class: i32) -> i32 {
    let index = usize::try_from(class).unwrap_or_default();
    index
        .checked_sub(1)
        .and_then(|index| LEADS.get(index).copied())
        .unwrap_or_default()
}
