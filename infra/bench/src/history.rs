//! `history`: a million orders through outbox, relay, stream, event log and archive, month by month. It prints what
//! each month leaves behind, and then shows that all of it is still there: read, replayed, rebuilt, and brought back
//! after the broker and the event log have lost everything.

mod lost;
mod models;
mod months;
mod platform;
mod whole;

use std::time::Instant;

use anyhow::{Result, ensure};

use self::{models::Models, platform::Platform};
use crate::replay::{
    orders::Lives,
    rebuild::{CONSUMER, OrdersModel},
};

/// The events of an order, on average.
const EVENTS_OF_ORDER: u64 = 5;
/// Events that no archive has when the broker loses everything, and as many when the event log does.
const TODAY: u64 = 20_000;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Orders in all.
    #[arg(long, default_value_t = 1_000_000)]
    orders: u64,
    /// Months that they are spread over. The last one stays in the event log.
    #[arg(long, default_value_t = 10)]
    months: u64,
}

pub fn run(options: &Options) -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(measure(options))
}

async fn measure(options: &Options) -> Result<()> {
    let began = Instant::now();
    let mut platform = Platform::start().await?;
    let mut lives = Lives::new();
    months::run(&platform, &mut lives, options).await?;
    let orders = lives.orders();
    let events = options.orders * EVENTS_OF_ORDER;

    let before = whole::read(&platform, &orders, events).await?;
    ensure!(before.events == events, "{} events", before.events);
    println!("\nall {events} events are there, each once and in order");
    // The services with read models run from here on: republishing asks every service.
    let model = OrdersModel::start(&platform.servers, &orders, events).await?;
    let rows = whole::hash(&model.pool).await?;
    let replaying = Instant::now();
    let handled = model.replay_all().await?;
    let seconds = replaying.elapsed().as_secs_f64();
    ensure!(handled == 0, "{handled} events took effect again");
    ensure!(
        rows == whole::hash(&model.pool).await?,
        "the replay changed rows"
    );
    println!("replayed to {CONSUMER}: nothing changed; {seconds:.1} s");
    let first = model.rebuild(true).await?;
    let again = model.rebuild(false).await?;
    println!(
        "{CONSUMER} rebuilt: equal; from the first event {first:.1} s, from a snapshot {again:.1} s"
    );
    let models = Models::start(&platform.servers, &orders).await?;
    models.fill(events).await?;
    months::record(&platform, &mut lives, TODAY).await?;
    let orders = lives.orders();
    lost::bring_back_the_broker(&platform).await?;
    let after = whole::read(&platform, &orders, events).await?;
    ensure!(
        after.events == events + TODAY && after.ids == before.ids,
        "{before:?} before and {after:?} after the broker was lost"
    );
    println!("the same events are there, and {TODAY} of today, after the broker lost everything");
    months::record(&platform, &mut lives, TODAY).await?;
    lost::bring_back_the_log(&platform, &lives.orders(), events + 2 * TODAY).await?;
    models.rebuild(events).await?;
    drop((model, models));
    platform.stop().await;
    println!("all took {:.0} s", began.elapsed().as_secs_f64());
    Ok(())
}
