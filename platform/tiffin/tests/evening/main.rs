//! `tiffin demo day` on a platform as `tiffin up` starts it, with its ordinary limits. `EVENING_ORDERS` and
//! `EVENING_SPEED` make it longer, `EVENING_FROM` and `EVENING_UNTIL` move it.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod board;
#[path = "../up/platform.rs"]
#[expect(dead_code, reason = "starts are repeated in another test")]
mod platform;
mod watcher;

use std::{
    collections::BTreeMap,
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::{board::Board, platform::Up, watcher::Watcher};

/// The age at which a token is renewed; it expires after fifteen minutes.
const RENEW_AFTER: Duration = Duration::from_mins(10);

fn setting(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

/// The command with the evening's options.
fn day(up: &Up) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tiffin"));
    command.env("TIFFIN_HOME", up.home()).args(["demo", "day"]);
    for (option, name, default) in [
        ("--orders", "EVENING_ORDERS", "36"),
        ("--speed", "EVENING_SPEED", "60"),
        ("--from", "EVENING_FROM", "19:45"),
        ("--until", "EVENING_UNTIL", "20:15"),
    ] {
        command.args([option, &setting(name, default)]);
    }
    command
}

/// The evening under way, which is ended with the test.
struct Evening(Child);

impl Drop for Evening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The orders of an evening by what tells them apart, with how they end: the number of each.
type Ends = BTreeMap<(String, String, u64, String, String, bool), usize>;

fn ends(
    orders: &[Value],
    end: impl Fn(&Value) -> (String, String, u64, String, String, bool),
) -> Ends {
    let mut ends = Ends::new();
    for order in orders {
        *ends.entry(end(order)).or_default() += 1;
    }
    ends
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn planned(up: &Up) -> Ends {
    let printed = day(up).arg("--plan").output().unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    let orders: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    ends(&orders, |order| {
        (
            text(&order["customer"]),
            text(&order["dish"]),
            order["quantity"].as_u64().unwrap(),
            text(&order["status"]),
            text(&order["cancelledBy"]),
            order["isPaid"] == true,
        )
    })
}

/// The orders of the evening's customers, as an administrator sees them.
async fn played(up: &Up) -> Ends {
    let admin = up.login("admin@tiffin.local").await;
    let orders = up
        .get("/api/v1/orders?q=evening-customer&limit=500", &admin)
        .await;
    ends(orders.as_array().unwrap(), |order| {
        let is_cancelled = order["status"] == "cancelled";
        (
            text(&order["email"]),
            text(&order["Item_name"]),
            order["quantity"].as_u64().unwrap(),
            text(&order["status"]),
            text(&order["cancellation"]["by"]),
            // What was paid for a cancelled order goes back.
            order["isPaid"] == true && !is_cancelled,
        )
    })
}

#[tokio::test]
async fn nothing_open_is_missing_from_the_board_and_every_order_ends_as_planned() {
    let up = Up::first().await;
    let planned = planned(&up);
    let orders: usize = planned.values().sum();
    assert_eq!(orders.to_string(), setting("EVENING_ORDERS", "36"));
    let owner = up.login("owner@tiffin.local").await;
    let mut board = Board::open(&up, &owner).await;
    let mut watcher = Watcher::connect(&up, &owner).await;
    // The demo's own open orders stay as they are.
    board.compare(&up).await;
    let mut evening = Evening(day(&up).stdout(Stdio::inherit()).spawn().unwrap());
    let mut signed_in = Instant::now();
    let status = loop {
        if signed_in.elapsed() > RENEW_AFTER {
            signed_in = Instant::now();
            board.owner = up.login("owner@tiffin.local").await;
            watcher.renew(&up, &board.owner).await;
        }
        if let Some(status) = evening.0.try_wait().unwrap() {
            break status;
        }
        let began = Instant::now();
        for order in board.compare(&up).await {
            watcher.watch(&order).await;
        }
        watcher.read().await;
        sleep(Duration::from_secs(1).saturating_sub(began.elapsed())).await;
    };
    assert!(status.success(), "{status}");
    println!(
        "{} comparisons, at most {} open, none missing",
        board.comparisons, board.most_open
    );
    assert!(
        board.most_open > orders / 10,
        "the board was never full: {}",
        board.most_open
    );
    // Payments and the last statuses reach the order service a moment later.
    let began = Instant::now();
    while played(&up).await != planned && began.elapsed() < Duration::from_secs(30) {
        sleep(Duration::from_millis(200)).await;
    }
    assert_eq!(played(&up).await, planned);
    watcher.saw_the_end_of_all().await;
}

#[tokio::test]
async fn an_evening_that_is_stopped_says_so_and_another_can_begin() {
    let up = Up::first().await;
    for _ in 0..2 {
        let evening = day(&up).stdout(Stdio::piped()).spawn().unwrap();
        sleep(Duration::from_secs(12)).await;
        let interrupted = Command::new("kill")
            .args(["-INT", &evening.id().to_string()])
            .status();
        assert!(interrupted.unwrap().success());
        let ended = evening.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stdout).unwrap();
        assert!(
            ended.status.success() && said.contains("stopped: "),
            "{said}"
        );
    }
}
