//! The table `print_jobs`. Whatever makes or claims a job locks the restaurant's row of `printing` first, so that each
//! order of a ticket is in one job that was not asked for.

use sqlx::PgConnection;
use tiffin_chassis::{Scope, TimeZone};
use tiffin_events::{OrderId, UserId, order::OrderStatus};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    order_list::{self, Filter},
    printing,
};
use crate::print_job::{
    Kind, LEASE, PrintJob, PrintLine, PrintOutcome, PrintProblem, PrintRefusal,
};

/// The ticket that an order belongs to.
struct TicketRow {
    checkout_id: Uuid,
    restaurant_id: Uuid,
    owner_id: Uuid,
    status: String,
}

/// An agent and the restaurants that it prints for.
#[derive(Clone, Copy, Debug)]
pub struct Agent<'a> {
    pub id: Uuid,
    pub owner: UserId,
    pub restaurants: &'a [Uuid],
}

/// The ticket of an order whose restaurant prints; its jobs stay as they are until the transaction ends.
async fn lock_ticket(
    tx: &mut PgConnection,
    OrderId(id): OrderId,
) -> sqlx::Result<Option<TicketRow>> {
    sqlx::query_as!(
        TicketRow,
        "select o.checkout_id, o.restaurant_id, o.owner_id, o.status
         from orders o join printing p on p.restaurant_id = o.restaurant_id
         where o.id = $1 for no key update of p",
        id,
    )
    .fetch_optional(tx)
    .await
}

/// Has a confirmed order printed, once: with the ticket's other orders if they are not printed yet.
pub async fn add(
    tx: &mut PgConnection,
    order: OrderId,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let Some(ticket) = lock_ticket(tx, order).await? else {
        return Ok(());
    };
    sqlx::query!(
        "with own as (select * from print_jobs where checkout_id = $1 and restaurant_id = $2),
              is_new as (select not exists (select from own where state <> 'dropped' and $3 = any(orders)) as yes),
              joined as (update print_jobs set orders = orders || $3::uuid
                         where id = (select id from own where state = 'waiting' and kind <> 'reprint'
                                     order by number desc limit 1)
                           and (select yes from is_new)
                         returning id)
         insert into print_jobs (id, checkout_id, restaurant_id, owner_id, number, kind, orders, state, created_at)
         select $4, $1, $2, $5, (select coalesce(max(number) + 1, 0) from own),
                case when exists (select from own) then 'added' else 'first' end, array[$3::uuid], 'waiting', $6
         where (select yes from is_new) and not exists (select from joined)",
        ticket.checkout_id,
        ticket.restaurant_id,
        order.0,
        id,
        ticket.owner_id,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Has the whole ticket of an order printed again, unless a reprint waits already.
pub async fn add_reprint(
    tx: &mut PgConnection,
    order: OrderId,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Result<(), PrintRefusal>> {
    let Some(ticket) = lock_ticket(tx, order).await? else {
        return Ok(Err(PrintRefusal::Off));
    };
    if ["pending", "cancelled"].contains(&ticket.status.as_str()) {
        return Ok(Err(PrintRefusal::NothingToPrint));
    }
    sqlx::query!(
        "with own as (select * from print_jobs where checkout_id = $1 and restaurant_id = $2)
         insert into print_jobs (id, checkout_id, restaurant_id, owner_id, number, kind, orders, state, created_at)
         select $3, $1, $2, $4, (select coalesce(max(number) + 1, 0) from own), 'reprint',
                array(select id from orders where checkout_id = $1 and restaurant_id = $2), 'waiting', $5
         where not exists (select from own where state = 'waiting' and kind = 'reprint')",
        ticket.checkout_id,
        ticket.restaurant_id,
        id,
        ticket.owner_id,
        now,
    )
    .execute(tx)
    .await?;
    Ok(Ok(()))
}

/// Claims the ticket that the agent holds already, or the next one. A ticket that the owner asked for again meanwhile is
/// not handed out, and neither is one without an order to make.
pub async fn claim(
    tx: &mut PgConnection,
    agent: Agent<'_>,
    now: OffsetDateTime,
    time_zone: &TimeZone,
) -> Result<Option<PrintJob>, crate::Error> {
    sqlx::query!(
        "select restaurant_id from printing where restaurant_id = any($1)
         order by restaurant_id for no key update",
        agent.restaurants,
    )
    .fetch_all(&mut *tx)
    .await?;
    loop {
        let held = sqlx::query!(
            r#"select id, exists (
                   select from print_jobs n
                   where n.checkout_id = j.checkout_id and n.restaurant_id = j.restaurant_id
                     and n.number > j.number and n.kind = 'reprint') as "is_replaced!"
               from print_jobs j
               where agent_id = $1 and owner_id = $2 and restaurant_id = any($3) and state = 'printing'
               limit 1"#,
            agent.id,
            agent.owner.0,
            agent.restaurants,
        )
        .fetch_optional(&mut *tx)
        .await?;
        let (id, is_replaced) = match held {
            Some(held) => (held.id, held.is_replaced),
            None => match printing::next(tx, agent.restaurants, now).await? {
                Some(next) => (next, false),
                None => return Ok(None),
            },
        };
        let ticket = if is_replaced {
            None
        } else {
            read(tx, id, agent.owner, time_zone).await?
        };
        let Some((job, orders)) = ticket else {
            drop_job(tx, id, now).await?;
            continue;
        };
        sqlx::query!(
            "update print_jobs set state = 'printing', agent_id = $2, claimed_until = $3, orders = $4, problem = null
             where id = $1",
            id,
            agent.id,
            now + LEASE,
            &orders,
        )
        .execute(&mut *tx)
        .await?;
        return Ok(Some(job));
    }
}

async fn drop_job(tx: &mut PgConnection, id: Uuid, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!(
        "update print_jobs set state = 'dropped', claimed_until = null, settled_at = $2 where id = $1",
        id,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The ticket as it is printed now, with its orders; none if there is no order to make.
async fn read(
    tx: &mut PgConnection,
    id: Uuid,
    owner: UserId,
    time_zone: &TimeZone,
) -> sqlx::Result<Option<(PrintJob, Vec<Uuid>)>> {
    let row = sqlx::query!(
        "select checkout_id, restaurant_id, kind, orders from print_jobs where id = $1",
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    let kind = Kind::parse(&row.kind).unwrap_or(Kind::First);
    let filter = Filter {
        checkout: Some(row.checkout_id),
        sort: "oldest",
        ..Filter::all(Scope {
            owner: Some(owner.0),
            ..Scope::default()
        })
    };
    let mut orders: Vec<_> = order_list::list(tx, filter).await?;
    orders.retain(|(order, _)| row.orders.contains(&order.id) && kind.prints(order.status));
    let Some((first, _)) = orders.first() else {
        return Ok(None);
    };
    let ids: Vec<Uuid> = orders.iter().map(|(order, _)| order.id).collect();
    let times = sqlx::query!(
        r#"select to_char(min(created_at) at time zone $2, 'HH24:MI') as "placed!",
                  to_char(min(coalesce(estimated_time, created_at + interval '30 minutes')) at time zone $2,
                          'HH24:MI') as "due!"
           from orders where id = any($1)"#,
        &ids,
        time_zone.name(),
    )
    .fetch_one(tx)
    .await?;
    let name = first.customer_name.as_deref().unwrap_or_default();
    let job = PrintJob {
        id,
        kind,
        restaurant_name: first.restaurant_name.clone(),
        code: first.order_id.clone(),
        more: orders.len() - 1,
        placed_at: times.placed,
        due_at: times.due,
        customer: name.split_whitespace().next().map(str::to_owned),
        is_paid: first.is_paid,
        lines: orders
            .iter()
            .map(|(order, _)| PrintLine {
                quantity: order.quantity,
                dish: order.item_name.clone(),
                note: order.note.clone(),
            })
            .collect(),
    };
    Ok(Some((job, ids)))
}

/// Records the result of a claimed job. A repeated report changes nothing.
pub async fn report(
    tx: &mut PgConnection,
    id: Uuid,
    (owner, agent): (UserId, Uuid),
    outcome: PrintOutcome,
    problem: Option<PrintProblem>,
    now: OffsetDateTime,
) -> sqlx::Result<Result<(), PrintRefusal>> {
    let job = sqlx::query!(
        r#"select state, agent_id = $3 as "is_held", exists (
               select from print_jobs n
               where n.checkout_id = j.checkout_id and n.restaurant_id = j.restaurant_id
                 and n.number > j.number and n.kind = 'reprint') as "is_replaced!"
           from print_jobs j where id = $1 and owner_id = $2 for update"#,
        id,
        owner.0,
        agent,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(job) = job else {
        return Ok(Err(PrintRefusal::NoJob));
    };
    let (state, is_settled) = match outcome {
        PrintOutcome::Printed => ("printed", true),
        PrintOutcome::Doubtful => ("doubtful", true),
        PrintOutcome::Unsent if job.is_replaced => ("dropped", true),
        PrintOutcome::Unsent => ("waiting", false),
    };
    if job.is_held != Some(true) || job.state != "printing" && job.state != state {
        return Ok(Err(PrintRefusal::NotHeld));
    }
    sqlx::query!(
        "update print_jobs set state = $2, problem = $3, settled_at = $4, claimed_until = null where id = $1",
        id,
        state,
        problem.map(PrintProblem::as_str),
        is_settled.then_some(now),
    )
    .execute(tx)
    .await?;
    Ok(Ok(()))
}

impl Kind {
    /// True if a job of this kind prints an order of this status.
    fn prints(self, status: OrderStatus) -> bool {
        match status {
            OrderStatus::Confirmed | OrderStatus::Preparing => true,
            OrderStatus::Dispatched | OrderStatus::Delivered => self == Self::Reprint,
            OrderStatus::Pending | OrderStatus::Cancelled => false,
        }
    }
}
