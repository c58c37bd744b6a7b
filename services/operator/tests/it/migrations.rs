//! The log of an earlier release, taken over.

use std::{fs, path::Path};

use sqlx::AssertSqlSafe;
use tiffin_testkit::TestDb;

const PARTITIONED: &str = "20261125210000_partition_events.sql";

#[tokio::test]
async fn a_log_of_an_earlier_release_goes_on_as_the_partition_of_all_months_so_far() {
    let db = TestDb::empty().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let files = fs::read_dir(&folder).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.as_str() < PARTITIONED)
        .collect();
    names.sort();
    names.push("insert".to_owned());
    names.push(PARTITIONED.to_owned());
    for name in names {
        let sql = if name == "insert" {
            "insert into events (stream, seq, subject, id, kind, aggregate, version, time, actor, envelope)
             select stream, seq, 'a', gen_random_uuid(), 'b', gen_random_uuid(), 1, now() - interval '1 year', 'c', '{}'
             from unnest('{ORDERS,USERS,OPERATIONS,DRIVERS}'::text[]) stream, generate_series(1, 100) seq"
                .to_owned()
        } else {
            fs::read_to_string(folder.join(name)).unwrap()
        };
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&db.pool)
            .await
            .unwrap();
    }
    let parts: Vec<(String, i64)> = sqlx::query_as(
        "select left(tableoid::regclass::text, 16), count(*) from events group by 1 order by 1",
    )
    .fetch_all(&db.pool)
    .await
    .unwrap();
    let expected = [
        ("log.events_until".to_owned(), 200),
        ("log.kept".to_owned(), 200),
    ];
    assert_eq!(parts, expected);
    let columns: i64 =
        sqlx::query_scalar("select count(*) from logged_events where version = 1 and seq <= 10")
            .fetch_one(&db.pool)
            .await
            .unwrap();
    assert_eq!(columns, 40);
    let twice = sqlx::query("insert into events select * from events where seq = 1")
        .execute(&db.pool)
        .await;
    assert!(twice.is_err(), "an event is there once");
}
