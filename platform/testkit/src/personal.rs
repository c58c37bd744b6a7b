//! The part of an account's copy that a service's database holds.

use serde_json::{Map, Value};
use sqlx::{AssertSqlSafe, PgPool};
use tiffin_bus::personal::Personal;
use tiffin_events::UserId;

/// The part of an account's copy that is from a service's database: lists of rows by section.
pub async fn copy_of(pool: &PgPool, personal: &Personal, account: UserId) -> Value {
    let mut conn = pool.acquire().await.expect("a connection");
    let (mut sections, mut next) = (Map::new(), None);
    loop {
        let page = personal.page(&mut conn, account, next.as_ref()).await;
        let page = page.expect("a page of the account's rows");
        for part in page.parts {
            let rows = sections
                .entry(part.section)
                .or_insert(Value::Array(Vec::new()));
            let rows = rows.as_array_mut().expect("a list");
            let read = |row: &str| serde_json::from_str(row).expect("a row");
            rows.extend(part.rows.iter().map(|row| read(row.get())));
        }
        next = page.next;
        if next.is_none() {
            return Value::Object(sections);
        }
    }
}

/// The tables of the database that have a row with a text.
pub async fn tables_with(pool: &PgPool, text: &str) -> Vec<String> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select format('%I.%I', table_schema, table_name) from information_schema.tables
         where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1",
    )
    .fetch_all(pool)
    .await
    .expect("the tables");
    let mut found = Vec::new();
    for table in tables {
        let sql = format!("select exists (select from {table} t where strpos(t::text, $1) > 0)");
        let has = sqlx::query_scalar::<_, bool>(AssertSqlSafe(sql)).bind(text);
        if has.fetch_one(pool).await.expect("the rows") {
            found.push(table);
        }
    }
    found
}

/// Fails unless every table of the database is in a section of the copy or left out with a reason. A partition is a part
/// of its table.
pub async fn assert_every_table_is_listed(pool: &PgPool, personal: &Personal) {
    let tables: Vec<String> = sqlx::query_scalar(
        "select t.table_schema || '.' || t.table_name from information_schema.tables t
         join pg_class c on c.relname = t.table_name and c.relnamespace = t.table_schema::regnamespace
         where t.table_type = 'BASE TABLE' and t.table_schema not in ('pg_catalog', 'information_schema')
           and not c.relispartition
         order by 1",
    )
    .fetch_all(pool)
    .await
    .expect("the tables");
    let wrong = personal.misplaced(tables.iter().map(String::as_str));
    assert!(
        wrong.is_empty(),
        "{}: name each table in store/personal.rs",
        wrong.join(", ")
    );
}
