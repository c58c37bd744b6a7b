//! Two inserts a transaction, as `pgbench` would do them: the speed of the PostgreSQL below an order.

use std::time::{Duration, Instant};

use anyhow::Result;
use futures_util::future::try_join_all;
use sqlx::{Connection, PgConnection};

use super::platform::RunFile;

/// Transactions a second of that many connections, on the order service's database.
pub async fn per_second(running: &RunFile, clients: usize, length: Duration) -> Result<f64> {
    let url = running.database("order")?;
    let mut connection = PgConnection::connect(url).await?;
    sqlx::raw_sql(
        "drop table if exists bench_inserts;
         create table bench_inserts (id bigint generated always as identity primary key, body text not null)",
    )
    .execute(&mut connection)
    .await?;
    let began = Instant::now();
    let counts = try_join_all((0..clients).map(|_| insert(url, began + length))).await?;
    let per_second = f64::from(counts.iter().sum::<u32>()) / began.elapsed().as_secs_f64();
    sqlx::raw_sql("drop table bench_inserts")
        .execute(&mut connection)
        .await?;
    connection.close().await?;
    Ok(per_second)
}

async fn insert(url: &str, until: Instant) -> Result<u32> {
    let mut connection = PgConnection::connect(url).await?;
    let mut count = 0;
    while Instant::now() < until {
        let mut transaction = connection.begin().await?;
        for _ in 0..2 {
            sqlx::query("insert into bench_inserts (body) values ($1)")
                .bind("a row of about the size of an event, give or take a few words of it")
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        count += 1;
    }
    connection.close().await?;
    Ok(count)
}
