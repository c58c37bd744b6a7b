//! The printing of tickets as their owner sees it.

use sqlx::PgConnection;
use tiffin_events::UserId;
use time::OffsetDateTime;

use crate::print_job::{MAX_AGE, PrintMark, PrintProblem, PrintState, SILENCE};

/// The most tickets of a day that are shown.
const MOST: i64 = 2_000;

/// The printing of the owner's tickets of the last day, each since its last reprint. Of several jobs the one that needs
/// the owner most counts.
pub async fn list(
    db: &mut PgConnection,
    UserId(owner): UserId,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<PrintMark>> {
    let rows = sqlx::query!(
        r#"with job as (
               select j.checkout_id, j.restaurant_id, j.created_at,
                      case when j.state = 'printing' and j.claimed_until <= $2 then 'doubtful'
                           when j.state = 'printing' then 'waiting'
                           else j.state end as state,
                      case when j.state = 'printing' and j.claimed_until <= $2 then 'interrupted'
                           when j.state <> 'waiting' then j.problem
                           when p.seen_at < $4 then 'agent_away'
                           else coalesce(p.problem, j.problem) end as problem
               from print_jobs j left join printing p on p.restaurant_id = j.restaurant_id
               where j.owner_id = $1 and j.created_at > $3 and j.state <> 'dropped'
                 and not exists (select from print_jobs n
                                 where n.checkout_id = j.checkout_id and n.restaurant_id = j.restaurant_id
                                   and n.number > j.number and n.kind = 'reprint' and n.state <> 'dropped')
           )
           select * from (
               select distinct on (checkout_id, restaurant_id)
                      checkout_id, restaurant_id, created_at, state as "state!", problem
               from job
               order by checkout_id, restaurant_id, array_position(array['doubtful', 'waiting', 'printed'], state)
           ) ticket
           order by created_at desc, checkout_id limit $5"#,
        owner,
        now,
        now - MAX_AGE,
        now - SILENCE,
        MOST,
    )
    .fetch_all(db)
    .await?;
    let marks = rows.into_iter().filter_map(|row| {
        Some(PrintMark {
            checkout_id: row.checkout_id,
            restaurant_id: row.restaurant_id,
            state: PrintState::parse(&row.state)?,
            problem: row.problem.as_deref().and_then(PrintProblem::parse),
            created_at: row.created_at,
        })
    });
    Ok(marks.collect())
}
