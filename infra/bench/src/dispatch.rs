//! `dispatch`: drivers suggested for orders, on made-up days, beside the nearest driver and the earliest drop-off.
//!
//! The days follow the public instances of the Meal Delivery Routing Problem (Reyes, Erera, Savelsbergh, Sahasrabudhe
//! and O'Neil, 2018; <https://github.com/grubhub/mdrplib>), by the figures of instance `0o100t100s1p100`:
//!
//! - 505 orders in 882 minutes for 116 restaurants; 113 drivers with 303 hours on shift. Orders come at random, most of
//!   them at lunch and at dinner; shifts begin before these.
//! - A door is 2.2 km from its restaurant on average (a tenth within 0.6 km, nine tenths within 3.9 km), restaurants
//!   3.3 km from each other. Rides are straight, at 320 metres a minute.
//! - A dish takes 17 minutes on average (a tenth 6, nine tenths 30), and the kitchen's time is known.
//! - Four minutes at each stop. Stops one after the other at the same door are one.
//! - An order is late if it takes more than 40 minutes from click to door.
//!
//! The times of lunch and dinner are assumptions, and so is that each restaurant gets as many orders as any other.
//!
//! Each order is given to a driver on shift when it is placed, and stays theirs. Drivers finish their tours.

mod day;
mod simulation;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tiffin_delivery::dispatching::rank;

use day::Day;
use simulation::{Outcome, Policy, STOP, TRAVEL, simulate};

/// The longest time of a suggestion among 200 drivers.
const MAX_TIME: Duration = Duration::from_millis(10);
/// The number of suggestions that are timed.
const TIMED: u32 = 200;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The number of days.
    #[arg(long, default_value_t = 10)]
    seeds: u64,
}

pub fn run(options: &Options) -> Result<()> {
    println!("seed  policy             click to door      late  bundled");
    let mut worse = Vec::new();
    let mut totals = [Outcome::default(); 3];
    for seed in 0..options.seeds {
        let day = Day::new(seed);
        let [nearest, earliest, suggested] = Policy::ALL.map(|policy| simulate(&day, policy));
        let outcomes = [nearest?, earliest?, suggested?];
        for ((policy, outcome), total) in Policy::ALL.iter().zip(&outcomes).zip(&mut totals) {
            print(&seed.to_string(), *policy, outcome);
            total.add(outcome);
        }
        let [_, earliest, suggested] = outcomes;
        if suggested.mean_minutes() > earliest.mean_minutes() {
            worse.push(seed);
        }
    }
    for (policy, total) in Policy::ALL.iter().zip(&totals) {
        print("all", *policy, total);
    }
    let time = time_of_a_suggestion();
    println!("a suggestion among 200 drivers with two orders each: {time:.2?} (median)");
    ensure!(
        worse.is_empty(),
        "suggestions took longer than the earliest drop-off on days {worse:?}"
    );
    // Without optimisation the time says nothing.
    ensure!(
        cfg!(debug_assertions) || time <= MAX_TIME,
        "a suggestion took {time:.2?}, more than {MAX_TIME:.0?}"
    );
    Ok(())
}

fn print(seed: &str, policy: Policy, outcome: &Outcome) {
    println!(
        "{seed:>4}  {:<17}  {:>9.1} min  {:>6.1} %  {:>5.1} %",
        policy.name(),
        outcome.mean_minutes(),
        outcome.late_percent(),
        outcome.bundled_percent(),
    );
}

fn time_of_a_suggestion() -> Duration {
    let (couriers, order) = day::busy_fleet(200);
    let mut times: Vec<_> = (0..TIMED)
        .map(|_| {
            let begin = Instant::now();
            let plans = rank(&couriers, &order, &TRAVEL, STOP);
            std::hint::black_box(plans);
            begin.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}
