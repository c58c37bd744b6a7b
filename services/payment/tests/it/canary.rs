//! A search for card numbers, expiries and security codes in all places that a payment writes to: every
//! column of every table, including the outbox, the answers and the log.

use std::{
    io,
    sync::{Arc, Mutex},
};

use serde_json::json;
use sqlx::{AssertSqlSafe, PgPool};
use time::Duration;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;

use crate::fixture::{ANSWER_LOST, DECLINED, Fixture, VISA, by_card};

/// The values that must not appear. The code counts only as a whole word: an id or a time may contain its
/// three digits.
const SECRETS: [&str; 6] = [
    r"4242[ -]?4242[ -]?4242",
    r"4000[ -]?0000[ -]?0000",
    r"5555[ -]?5555[ -]?5555",
    "11/26",
    r#"(^|[("{,: \\])737([)"},: \\]|$)"#,
    "424242424242",
];

/// A log that can be read afterwards.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Logs all of this thread until the guard is dropped.
    pub fn begin() -> (Self, DefaultGuard) {
        let log = Self::default();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG)
            .with_writer(log.clone())
            .with_ansi(false)
            .finish();
        (log, tracing::subscriber::set_default(subscriber))
    }
}

pub fn log_of(log: &Log) -> String {
    String::from_utf8(log.0.lock().unwrap().clone()).unwrap()
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;
    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// The tables and rows that contain a secret.
pub async fn search(pool: &PgPool, secret: &str) -> Vec<(String, String)> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select format('%I.%I', table_schema, table_name) from information_schema.tables
         where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    assert!(tables.len() >= 8, "{tables:?}");
    let mut found = Vec::new();
    for table in tables {
        let sql = format!("select t::text from {table} t where t::text ~ $1");
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql))
            .bind(secret)
            .fetch_all(pool)
            .await
            .unwrap();
        found.extend(rows.into_iter().map(|row| (table.clone(), row)));
    }
    found
}

#[tokio::test]
async fn nothing_of_a_card_but_its_face_is_left_anywhere() {
    let (log, _guard) = Log::begin();
    let fixture = Fixture::new().await;
    let mut answers = Vec::new();
    for number in [VISA, "5555555555554444", DECLINED, ANSWER_LOST] {
        let order = fixture.order().await;
        let call = fixture.call(&order, 1250.5, number);
        answers.push(
            call.header("Idempotency-Key", &format!("pay-{}", order.order_id))
                .await
                .text,
        );
        answers.push(fixture.call(&order, 1.0, number).await.text);
        // Bodies that are refused contain the same secrets.
        for (field, value) in [
            ("cardNumber", json!(4_242_424_242_424_242_u64)),
            ("cvv", json!(737)),
            ("expiry", json!(["11/26"])),
            ("paymentType", json!(VISA)),
            ("amount", json!(VISA)),
        ] {
            let mut body = by_card(&order, 1250.5, number);
            body[field] = value;
            let call = fixture.app.post("/api/payment").token(&fixture.customer());
            answers.push(call.json(&body).await.text);
        }
        fixture.clock.advance(Duration::minutes(2));
        fixture.settle().await;
        fixture.cancel(&order).await;
        fixture.settle().await;
        let path = format!("/api/v1/payment/invoice/{}", order.order_id);
        answers.push(fixture.app.get(&path).token(&fixture.customer()).await.text);
    }
    answers.push(json!(fixture.payments().await).to_string());
    assert_eq!(fixture.money_moves().await, (3, 3), "payments were made");

    let answers = answers.join("\n");
    let log = log_of(&log);
    assert!(
        log.contains("left to the reconciler"),
        "the log was written"
    );
    for secret in SECRETS {
        assert_eq!(search(&fixture.db.pool, secret).await, [], "{secret}");
        for (place, text) in [("answers", &answers), ("log", &log)] {
            let found: Option<bool> = sqlx::query_scalar("select $1 ~ $2")
                .bind(text)
                .bind(secret)
                .fetch_one(&fixture.db.pool)
                .await
                .unwrap();
            assert_eq!(found, Some(false), "{secret} in the {place}: {text}");
        }
    }
}

#[tokio::test]
async fn the_search_finds_what_is_there() {
    let fixture = Fixture::new().await;
    for planted in [
        VISA,
        "4242424242424242",
        "737",
        r#"{"cvv":"737"}"#,
        r#"{"cvv": 737}"#,
        "12, 11/26",
    ] {
        sqlx::query("insert into sandbox_charges (key, result) values ($1, $2)")
            .bind(fixture.clock.new_id())
            .bind(planted)
            .execute(&fixture.db.pool)
            .await
            .unwrap();
        let mut hits = 0;
        for secret in SECRETS {
            hits += search(&fixture.db.pool, secret).await.len();
        }
        assert!(hits > 0, "{planted}");
        sqlx::query("truncate sandbox_charges")
            .execute(&fixture.db.pool)
            .await
            .unwrap();
    }
}
