//! The limit of an account's attempts to pay.

use crate::fixture::{DECLINED, Fixture};

#[tokio::test]
async fn tries_to_pay_are_counted_declined_ones_too() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.call(&order, 1250.5, DECLINED).await.problem(402);
    let count: i32 = sqlx::query_scalar("select count from http.limits where key = $1")
        .bind(format!("payments:account:{}", fixture.customer))
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(count, 1);
    fixture.exhaust_limit("payments", fixture.customer).await;
    let refused = fixture.pay(&order, 1250.5).await;
    assert!(refused.header("retry-after").is_some());
    refused.problem(429);
    assert_eq!(fixture.money_moves().await, (0, 0));
}
