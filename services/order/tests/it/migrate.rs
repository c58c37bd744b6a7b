//! The migration of payments from before their amounts were kept.

use sqlx::{PgPool, migrate::Migrator};
use tiffin_testkit::TestDb;

const BALANCES: i64 = 20_261_123_090_100;

async fn migrate(pool: &PgPool, migrations: &Migrator, wanted: impl Fn(i64) -> bool) {
    for migration in migrations.iter() {
        if wanted(migration.version) {
            sqlx::raw_sql(migration.sql.clone())
                .execute(pool)
                .await
                .unwrap();
        }
    }
}

#[tokio::test]
async fn a_payment_from_before_counts_as_its_orders_equal_share() {
    let db = TestDb::empty().await;
    migrate(&db.pool, &tiffin_bus::MIGRATIONS, |_| true).await;
    migrate(&db.pool, &tiffin_order::MIGRATIONS, |version| {
        version < BALANCES
    })
    .await;
    sqlx::raw_sql(
        "insert into orders (id, code, checkout_id, customer_id, restaurant_id, owner_id, item_id, item_name,
                             quantity, price, total, address, status, approved, created_at, version)
         select ('00000000-0000-0000-0000-00000000000' || n)::uuid, 'ORD-' || n,
                ('00000000-0000-0000-0000-0000000000c' || checkout)::uuid, gen_random_uuid(), gen_random_uuid(),
                gen_random_uuid(), gen_random_uuid(), 'Kottu', 1, total, total, '', 'pending', false, now(), 1
         from (values (1, 1, 5000), (2, 1, 3000), (3, 1, 2000), (4, 2, 700)) as o (n, checkout, total);
         insert into payments (id, order_id) select id, id from orders;
         insert into payments (id, order_id) values (gen_random_uuid(), gen_random_uuid())",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    migrate(&db.pool, &tiffin_order::MIGRATIONS, |version| {
        version >= BALANCES
    })
    .await;
    let amounts: Vec<i64> = sqlx::query_scalar("select amount from payments order by id")
        .fetch_all(&db.pool)
        .await
        .unwrap();
    assert_eq!(amounts, [3333, 3333, 3334, 700]);
}
