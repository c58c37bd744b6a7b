//! The table `printing`: the restaurants whose confirmed tickets are printed.

use sqlx::PgConnection;
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::print_job::{GATHERING, MAX_AGE, PrintProblem, PrintRefusal};

/// The accuracy of an agent's last call.
const SEEN_TO: Duration = Duration::seconds(30);

/// Refuses restaurants that the owner does not have.
pub async fn check_owner(
    tx: &mut PgConnection,
    UserId(owner): UserId,
    restaurants: &[Uuid],
) -> sqlx::Result<Result<(), PrintRefusal>> {
    let owners = sqlx::query_scalar!(
        "select owner_id from restaurants where id = any($1) and not deleted",
        restaurants,
    )
    .fetch_all(tx)
    .await?;
    Ok(if owners.iter().any(|it| *it != owner) {
        Err(PrintRefusal::NotYours)
    } else if owners.len() < restaurants.len() {
        Err(PrintRefusal::NoRestaurant)
    } else {
        Ok(())
    })
}

/// Turns printing on, and keeps what the agent says of its printer.
pub async fn save(
    tx: &mut PgConnection,
    UserId(owner): UserId,
    restaurants: &[Uuid],
    problem: Option<PrintProblem>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into printing as p (restaurant_id, owner_id, problem, seen_at)
         select id, $2, $3, $4 from unnest($1::uuid[]) id order by id
         on conflict (restaurant_id) do update
         set owner_id = excluded.owner_id, problem = excluded.problem, seen_at = excluded.seen_at
         where p.owner_id <> excluded.owner_id or p.problem is distinct from excluded.problem or p.seen_at < $5",
        restaurants,
        owner,
        problem.map(PrintProblem::as_str),
        now,
        now - SEEN_TO,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Turns printing off. Tickets that wait are not printed.
pub async fn remove(
    tx: &mut PgConnection,
    restaurant: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!("delete from printing where restaurant_id = $1", restaurant)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "update print_jobs set state = 'dropped', settled_at = $2
         where restaurant_id = $1 and state = 'waiting'",
        restaurant,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The next ticket that can be printed. A ticket waits for the rest of its orders, but not for long; without an order
/// that the kitchen makes it is not printed.
pub async fn next(
    tx: &mut PgConnection,
    restaurants: &[Uuid],
    now: OffsetDateTime,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "select j.id from print_jobs j
         where j.restaurant_id = any($1) and j.state = 'waiting' and j.created_at > $2
           and exists (select from orders o
                       where o.id = any(j.orders) and o.deleted_at is null
                         and (o.status in ('confirmed', 'preparing')
                              or j.kind = 'reprint' and o.status in ('dispatched', 'delivered')))
           and (j.created_at <= $3
                or not exists (select from orders o
                               where o.checkout_id = j.checkout_id and o.restaurant_id = j.restaurant_id
                                 and o.status = 'pending' and o.deleted_at is null))
         order by j.created_at, j.id limit 1",
        restaurants,
        now - MAX_AGE,
        now - GATHERING,
    )
    .fetch_optional(tx)
    .await
}
