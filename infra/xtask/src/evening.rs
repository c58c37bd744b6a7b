//! A Friday evening of any length: `platform/tiffin/tests/evening`.

use anyhow::Result;

use crate::step;

/// Plays so many orders between half past six and half past nine.
pub fn run(orders: u16, speed: u8) -> Result<()> {
    let mut command = step::cargo();
    command
        .args(["test", "-p", "tiffin", "--test", "evening"])
        .args(["nothing_open_is_missing", "--", "--nocapture"])
        .env("EVENING_ORDERS", orders.to_string())
        .env("EVENING_SPEED", speed.to_string())
        .env("EVENING_FROM", "18:30")
        .env("EVENING_UNTIL", "21:30");
    step::run("the evening", &mut command).map(drop)
}
