//! The files as another program reads them.

use serde_json::{Value, json};

use crate::bench::{Bench, STREAM, read_all};

/// Counts and sums over all columns, and one message as it was written.
const QUERY: &str = r#"
import duckdb, json, sys
files = sys.argv[1]
sums = duckdb.sql(f"""
    select count(*), sum(seq)::bigint, sum(octet_length(event))::bigint, sum(sequence)::bigint,
           count(distinct aggregate), count(*) filter (where type = 'tiffin.order.placed.v1'),
           max(epoch_ns(stored_at)), max(epoch_us("time")), min(stream)
    from read_parquet('{files}')""").fetchall()[0]
one = duckdb.sql(f"""
    select subject, headers, decode(event) from read_parquet('{files}') where seq = 7""").fetchall()[0]
print(json.dumps([*sums, *one]))
"#;

#[tokio::test]
async fn duckdb_reads_the_same_messages_as_we_do() {
    let bench = Bench::filled(6_000, 5_000).await;
    let ours = read_all(&bench.archive()).await;
    let files = bench.path().join("ORDERS/segments/*.parquet");
    let output = tiffin_testkit::duckdb()
        .args(["-c", QUERY])
        .arg(files)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let theirs: Value = serde_json::from_slice(&output.stdout).unwrap();

    let events = ours
        .iter()
        .filter_map(|it| serde_json::from_slice::<Value>(&it.body).ok());
    let events: Vec<Value> = events.collect();
    let orders: std::collections::BTreeSet<_> =
        events.iter().map(|it| it["subject"].to_string()).collect();
    let placed = events
        .iter()
        .filter(|it| it["type"] == "tiffin.order.placed.v1");
    let seventh = ours.get(6).unwrap();
    let latest = ours.last().unwrap().stored_at;
    let latest_event = ours
        .iter()
        .rfind(|it| it.stream_sequence % 40 != 0)
        .unwrap();
    let expected = json!([
        ours.len(),
        ours.iter().map(|it| it.stream_sequence).sum::<u64>(),
        ours.iter().map(|it| it.body.len()).sum::<usize>(),
        events
            .iter()
            .filter_map(|it| it["sequence"].as_u64())
            .sum::<u64>(),
        orders.len(),
        placed.count(),
        i64::try_from(latest.unix_timestamp_nanos()).unwrap(),
        i64::try_from(latest_event.stored_at.unix_timestamp_nanos() / 1_000).unwrap(),
        STREAM.name(),
        seventh.subject,
        json!(seventh.headers.pairs()).to_string(),
        String::from_utf8(seventh.body.to_vec()).unwrap(),
    ]);
    assert_eq!(theirs, expected);
}
