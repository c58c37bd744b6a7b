//! The orders that are under way, as the order service tells it: nobody they concern may close
//! their account.

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{Failure, Handler, Received};
use tiffin_events::{
    OrderId, UserId,
    order::{OrderEvent, OrderRefV1},
};

/// Takes the events of stream ORDERS.
pub(crate) struct Follow;

impl Handler for Follow {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match event.decode::<OrderEvent>()? {
                Some(OrderEvent::Placed(placed)) => keep(tx, &placed.order).await?,
                Some(OrderEvent::Confirmed(confirmed)) => keep(tx, &confirmed.order).await?,
                Some(OrderEvent::Reopened(reopened)) => keep(tx, &reopened.order).await?,
                Some(
                    OrderEvent::Delivered(order)
                    | OrderEvent::Cancelled(order)
                    | OrderEvent::Deleted(order),
                ) => {
                    forget(tx, order.order_id).await?;
                }
                Some(
                    OrderEvent::Approved(_) | OrderEvent::Preparing(_) | OrderEvent::Dispatched(_),
                )
                | None => {}
            }
            Ok(())
        })
    }
}

/// Whether an order that is under way is somebody's: they ordered it, sell it or bring it.
pub(crate) async fn concern(tx: &mut PgConnection, user: UserId) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (
            select from orders_under_way where customer_id = $1 or owner_id = $1 or driver_id = $1
        ) as "found!""#,
        user.0,
    );
    found.fetch_one(tx).await
}

async fn keep(tx: &mut PgConnection, order: &OrderRefV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into orders_under_way (order_id, customer_id, owner_id, driver_id) values ($1, $2, $3, $4)
         on conflict (order_id) do update set driver_id = $4",
        order.order_id.0,
        order.customer_id.0,
        order.owner_id.0,
        order.driver_id.map(|driver| driver.0),
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn forget(tx: &mut PgConnection, order: OrderId) -> sqlx::Result<()> {
    sqlx::query!("delete from orders_under_way where order_id = $1", order.0)
        .execute(tx)
        .await?;
    Ok(())
}
