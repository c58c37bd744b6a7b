//! The migration of payments to one balance for each checkout.

use sqlx::PgPool;
use tiffin_testkit::TestDb;

const BALANCE: i64 = 20_261_123_090_000;

async fn migrate(pool: &PgPool, wanted: impl Fn(i64) -> bool) {
    for migration in tiffin_payment::MIGRATIONS.iter() {
        if wanted(migration.version) {
            sqlx::raw_sql(migration.sql.clone())
                .execute(pool)
                .await
                .unwrap();
        }
    }
}

#[tokio::test]
async fn what_was_captured_above_the_price_of_live_orders_goes_back() {
    let db = TestDb::empty().await;
    migrate(&db.pool, |version| version < BALANCE).await;
    // Three checkouts: one whose expensive order is cancelled and only that share refunded, one that is
    // paid, and one whose cheap order is cancelled and whose expensive order is not fully paid.
    sqlx::raw_sql(
        "insert into orders (id, code, checkout_id, customer_id, owner_id, restaurant_id, item_name, quantity,
                             price, total, address, placed_at, cancelled)
         select ('00000000-0000-0000-0000-00000000000' || n)::uuid, 'ORD-' || n,
                ('00000000-0000-0000-0000-0000000000c' || checkout)::uuid, gen_random_uuid(), gen_random_uuid(),
                gen_random_uuid(), 'Kottu', 1, total, total, '', now(), cancelled
         from (values (1, 1, 9000, true), (2, 1, 1000, false), (3, 1, 500, false),
                      (4, 2, 700, false), (5, 3, 9000, false), (6, 3, 1000, true)) as o (n, checkout, total, cancelled);
         insert into payments (id, order_id, customer_id, amount, kind, status, provider, created_at, due_at)
         select ('00000000-0000-0000-0000-00000000000' || n)::uuid,
                ('00000000-0000-0000-0000-00000000000' || n)::uuid, gen_random_uuid(), amount, 'PayPal', status,
                'sandbox', now(), case when status = 'refunding' then now() end
         from (values (1, 3500, 'refunded'), (2, 3500, 'captured'), (3, 3500, 'captured'),
                      (4, 700, 'captured'), (5, 5000, 'captured'), (6, 5000, 'refunding')) as p (n, amount, status);
         insert into sandbox_charges (key, amount, result, refunded)
         select id, amount, 'captured', status = 'refunded' from payments",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    migrate(&db.pool, |version| version >= BALANCE).await;
    let seen: Vec<(String, i64, i64, bool, i64)> = sqlx::query_as(
        "select p.status, p.to_refund, p.refunded, p.due_at is not null, s.given_back
         from payments p join sandbox_charges s on s.key = p.id order by p.id",
    )
    .fetch_all(&db.pool)
    .await
    .unwrap();
    let expected = [
        ("refunded", 3500, 3500, false, 3500),
        // The other two orders cost 15 of 70: the newest payment is refunded fully, the other in part.
        ("refunding", 2000, 0, true, 0),
        ("refunding", 3500, 0, true, 0),
        ("captured", 0, 0, false, 0),
        ("captured", 0, 0, false, 0),
        ("refunding", 5000, 0, true, 0),
    ];
    let expected = expected.map(|(status, a, b, due, c)| (status.to_owned(), a, b, due, c));
    assert_eq!(seen, expected);
}
