//! The limit of an account's attempts to pay.

use crate::harness::{DECLINED, Till};

#[tokio::test]
async fn tries_to_pay_are_counted_declined_ones_too() {
    let till = Till::open().await;
    let order = till.order().await;
    till.call(&order, 1250.5, DECLINED).await.problem(402);
    let count: i32 = sqlx::query_scalar("select count from http.limits where key = $1")
        .bind(format!("payments:account:{}", till.customer))
        .fetch_one(&till.db.pool)
        .await
        .unwrap();
    assert_eq!(count, 1);
    till.use_up("payments", till.customer).await;
    let refused = till.pay(&order, 1250.5).await;
    assert!(refused.header("retry-after").is_some());
    refused.problem(429);
    assert_eq!(till.money_moves().await, (0, 0));
}
