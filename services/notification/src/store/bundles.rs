//! Notifications with the orders that they are about.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_events::NotificationId;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    Error,
    bundle::{Bundle, BundledOrder},
    notification::Notification,
};

/// The same notifications with their orders.
pub async fn with_orders(
    tx: &mut PgConnection,
    notifications: Vec<Notification>,
) -> Result<Vec<Bundle>, Error> {
    let ids: Vec<_> = notifications.iter().map(|it| it.id.0).collect();
    let rows = sqlx::query!(
        r#"select coalesce(n.bundle_id, n.id) as "id!", o.code, o.item_name, o.quantity, r.name as "restaurant?"
           from notifications n join orders o on o.id = n.order_id
           left join restaurants r on r.id = o.restaurant_id
           where n.id = any($1) or n.bundle_id = any($1)
           group by 1, o.id, r.id
           order by o.id"#,
        &ids,
    )
    .fetch_all(tx)
    .await?;
    let mut orders: HashMap<Uuid, Vec<BundledOrder>> = HashMap::new();
    for row in rows {
        orders.entry(row.id).or_default().push(BundledOrder {
            code: row.code,
            dish: row.quantity.zip(row.item_name),
            restaurant: row.restaurant,
        });
    }
    let bundles = notifications.into_iter().map(|notification| Bundle {
        orders: orders.remove(&notification.id.0).unwrap_or_default(),
        notification,
    });
    Ok(bundles.collect())
}

/// Lets mail and push of notifications leave at once whose ticket is complete: each of its orders is among those that
/// they include.
pub async fn release(
    tx: &mut PgConnection,
    notifications: &[Uuid],
    now: OffsetDateTime,
) -> Result<(), Error> {
    let complete = sqlx::query_scalar!(
        "select l.id from notifications l left join orders o on o.id = l.order_id
         where l.id = any($1)
           and (select count(distinct m.order_id) from notifications m where m.id = l.id or m.bundle_id = l.id)
               >= coalesce(o.ticket_orders, (select count(*) from orders s
                                             where s.checkout_id = o.checkout_id and s.restaurant_id = o.restaurant_id))",
        notifications,
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!(
        "update notifications set mail_due_at = $2
         where id = any($1) and mail = 'waiting' and mail_attempts = 0 and mail_due_at > $2",
        &complete,
        now,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update pushes set due_at = $2 where notification_id = any($1) and attempts = 0 and due_at > $2",
        &complete,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Those of the notifications whose ticket has more orders than they include.
pub async fn incomplete(
    tx: &mut PgConnection,
    notifications: impl IntoIterator<Item = NotificationId>,
) -> Result<Vec<Uuid>, Error> {
    let ids: Vec<_> = notifications.into_iter().map(|id| id.0).collect();
    let found = sqlx::query_scalar!(
        "select l.id from notifications l join orders o on o.id = l.order_id
         where l.id = any($1)
           and (select count(distinct m.order_id) from notifications m where m.id = l.id or m.bundle_id = l.id)
               < coalesce(o.ticket_orders, (select count(*) from orders s
                                            where s.checkout_id = o.checkout_id and s.restaurant_id = o.restaurant_id))",
        &ids,
    );
    Ok(found.fetch_all(tx).await?)
}

/// Marks notifications as unread, because they include one more order.
pub async fn unread(tx: &mut PgConnection, notifications: &[Uuid]) -> Result<(), Error> {
    sqlx::query!(
        "update notifications set read = false where id = any($1) and read",
        notifications,
    )
    .execute(tx)
    .await?;
    Ok(())
}
