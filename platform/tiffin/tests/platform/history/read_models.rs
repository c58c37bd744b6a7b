//! Lost read models that are rebuilt from the streams.

use std::collections::BTreeSet;

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::{
    contents::{assert_same, fingerprints},
    operator_client::{Consumer, OperatorClient},
    past_orders::PastOrders,
};
use crate::{settle::settle, stack::Stack};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_read_model_that_is_dropped_is_rebuilt_to_the_same_rows() {
    let stack = Stack::start("history::every_read_model").await;
    let past = PastOrders::create(&stack).await;
    let client = OperatorClient {
        stack: &stack,
        operator: &past.admin,
    };
    settle(&stack).await;
    let models: Vec<Consumer> = client
        .consumers()
        .await
        .into_iter()
        .filter(|consumer| !consumer.tables.is_empty())
        .collect();
    let names: BTreeSet<&str> = models.iter().map(|model| &*model.name).collect();
    assert_eq!(names, MODELS.into(), "consumers that keep read models");
    for model in &models {
        let report = client.verify(&model.name).await;
        assert_eq!(report["equal"], true, "{}: {report:#}", model.name);
        assert_eq!(report["failures"], serde_json::json!([]), "{}", model.name);
    }

    let before = fingerprints(&stack).await;
    for model in &models {
        empty(&stack, model).await;
    }
    let emptied = fingerprints(&stack).await;
    for model in &models {
        for table in &model.tables {
            let table = format!("{}.public.{table}", model.service());
            assert_eq!(emptied[&table].0, 0, "{table} is not empty");
        }
    }
    for model in &models {
        client.rebuild(&model.name).await;
    }
    assert_same(&before, &fingerprints(&stack).await, "rebuilt");

    // And they serve: an order goes all its way.
    let mails = stack.mails().len();
    past.deliver(&stack, true).await;
    settle(&stack).await;
    assert!(stack.mails().len() > mails, "mail goes on");
}

/// The consumers with a read model.
const MODELS: [&str; 24] = [
    "delivery_CATALOG",
    "delivery_DELIVERIES",
    "delivery_DRIVERS",
    "delivery_ORDERS",
    "delivery_USERS",
    "driver_CATALOG",
    "driver_USERS",
    "media_CATALOG",
    "media_ORDERS",
    "media_USERS",
    "notification_CATALOG",
    "notification_ORDERS",
    "notification_USERS",
    "order_CATALOG",
    "order_DELIVERIES",
    "order_DRIVERS",
    "order_PAYMENTS",
    "order_USERS",
    "payment_CATALOG",
    "payment_DELIVERIES",
    "payment_ORDERS",
    "payment_USERS",
    "restaurant_USERS",
    "user_ORDERS",
];

async fn empty(stack: &Stack, model: &Consumer) {
    let databases = stack.databases();
    let (_, url) = databases
        .iter()
        .find(|(service, _)| service == model.service())
        .unwrap();
    let mut connection = PgConnection::connect(url).await.unwrap();
    let truncate = format!("truncate {}", model.tables.join(", "));
    sqlx::raw_sql(AssertSqlSafe(truncate))
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
}
