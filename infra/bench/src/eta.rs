//! `eta`: forecasts of arrivals on recorded trips. The first half of each recording teaches, the second half judges,
//! beside a straight line with a detour and the pace of the last seconds.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use sqlx::PgPool;
use tiffin_delivery::forecasting::{Ride, TripStatistics, read_statistics};
use tiffin_events::delivery::EtaBasis;
use tiffin_testkit::TestDb;
use time::{Duration, OffsetDateTime, macros::datetime};
use uuid::Uuid;

/// The largest mean error, in percent of the time left.
const MAX_ERROR: f64 = 45.0;
/// The least and the largest share of ranges that hold, in percent.
const HOLDING: [f64; 2] = [76.0, 84.0];
/// The shortest time left that is judged. Within the last two minutes a range is as wide as the time left.
const SHORTEST: f64 = 120.0;
/// The speed of the router's bicycle, in metres a second.
const ROUTER_SPEED: f64 = 15.0 / 3.6;
/// The time at which all trips begin: what is statistics is by hour, and recordings have few hours.
const BEGIN: OffsetDateTime = datetime!(2026-11-01 12:00 UTC);

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The trips as JSON.
    #[arg(long)]
    trips: PathBuf,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Trip {
    rider: String,
    /// Milliseconds since 1970, by the recording's clock.
    started_at: f64,
    metres: f64,
    seconds: f64,
    questions: Vec<Question>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Question {
    metres_left: f64,
    seconds_left: f64,
    straight_seconds: f64,
}

pub fn run(options: &Options) -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(measure(options))
}

async fn measure(options: &Options) -> Result<()> {
    let text = fs::read_to_string(&options.trips).context("the trips can't be read")?;
    let mut trips: Vec<Trip> = serde_json::from_str(&text)?;
    trips.sort_by(|one, other| one.started_at.total_cmp(&other.started_at));
    let (teaching, judging) = halves(&trips);
    let statistics = teach(&teaching).await?;
    let mut judgement = Judgement::default();
    for question in judging.iter().flat_map(|trip| &trip.questions) {
        judgement.add(question, &statistics);
    }
    judgement.print(teaching.len(), judging.len());
    judgement.check()
}

/// The first half of each recording's trips, and the second.
fn halves(trips: &[Trip]) -> (Vec<&Trip>, Vec<&Trip>) {
    trips.iter().partition(|trip| {
        let of_rider = |other: &&Trip| other.rider == trip.rider;
        let earlier = trips.iter().filter(of_rider);
        let earlier = earlier.filter(|other| other.started_at < trip.started_at);
        earlier.count() * 2 < trips.iter().filter(of_rider).count()
    })
}

/// Learns as the service does: from trips and shown ranges in its database. Paces come first, since the ranges of the
/// same trips are drawn from them.
async fn teach(trips: &[&Trip]) -> Result<TripStatistics> {
    let db = TestDb::new(&tiffin_delivery::MIGRATIONS).await;
    let ids: Vec<_> = (1..).map(Uuid::from_u128).take(trips.len()).collect();
    for (id, trip) in ids.iter().zip(trips) {
        insert_trip(&db.pool, *id, trip).await?;
    }
    let mut connection = db.pool.acquire().await?;
    let now = BEGIN + Duration::days(1);
    let paces = read_statistics(&mut connection, now).await?;
    for (id, trip) in ids.iter().zip(trips) {
        insert_ranges(&db.pool, *id, trip, &paces).await?;
    }
    Ok(read_statistics(&mut connection, now).await?)
}

async fn insert_trip(pool: &PgPool, id: Uuid, trip: &Trip) -> Result<()> {
    sqlx::query(
        "insert into trips (delivery_id, restaurant_id, owner_id, driver_id, ordered_at, assigned_at, set_out_at,
                            ride_seconds, delivered_at)
         values ($1, $2, $2, $2, $3, $3, $3, $4, $5)",
    )
    .bind(id)
    .bind(Uuid::nil())
    .bind(BEGIN)
    .bind(trip.metres / ROUTER_SPEED)
    .bind(BEGIN + Duration::seconds_f64(trip.seconds))
    .execute(pool)
    .await?;
    Ok(())
}

async fn insert_ranges(
    pool: &PgPool,
    id: Uuid,
    trip: &Trip,
    statistics: &TripStatistics,
) -> Result<()> {
    for question in &trip.questions {
        let shown_at = BEGIN + Duration::seconds_f64(trip.seconds - question.seconds_left);
        let expected = shown_at + expected(question, statistics);
        let range = statistics.range(shown_at, expected);
        sqlx::query(
            "insert into shown_ranges (delivery_id, shown_at, earliest, latest, expected_at)
             values ($1, $2, $3, $4, $5)",
        )
        .bind(id)
        .bind(shown_at)
        .bind(range.earliest)
        .bind(range.latest)
        .bind(expected)
        .execute(pool)
        .await?;
    }
    Ok(())
}

/// The time left by the forecast.
fn expected(question: &Question, statistics: &TripStatistics) -> Duration {
    let ride = Ride {
        metres: question.metres_left,
        seconds: question.metres_left / ROUTER_SPEED,
        basis: EtaBasis::Street,
    };
    statistics.riding_with_stop(&ride, BEGIN)
}

#[derive(Debug, Default)]
struct Judgement {
    count: f64,
    held: f64,
    early: f64,
    errors: f64,
    straight_errors: f64,
    width: f64,
}

impl Judgement {
    fn add(&mut self, question: &Question, statistics: &TripStatistics) {
        let left = question.seconds_left;
        if left < SHORTEST {
            return;
        }
        let expected = expected(question, statistics);
        let range = statistics.range(BEGIN, BEGIN + expected);
        let arrival = BEGIN + Duration::seconds_f64(left);
        self.count += 1.0;
        // A range ends with the minute that it names.
        let end = range.latest + Duration::MINUTE;
        self.held += f64::from(u8::from(range.earliest <= arrival && arrival < end));
        self.early += f64::from(u8::from(arrival < range.earliest));
        self.errors += (expected.as_seconds_f64() - left).abs() / left;
        self.straight_errors += (question.straight_seconds - left).abs() / left;
        self.width += (end - range.earliest).as_seconds_f64() / 60.0;
    }

    fn percent(&self, sum: f64) -> f64 {
        100.0 * sum / self.count
    }

    fn print(&self, teaching: usize, judging: usize) {
        println!(
            "{teaching} trips teach, {judging} judge, in {} forecasts",
            self.count
        );
        println!("the street's length is known; the router's speed is 15 km/h everywhere");
        println!(
            "mean error, straight line with a detour  {:.1} %",
            self.percent(self.straight_errors)
        );
        println!(
            "mean error, forecast                     {:.1} %",
            self.percent(self.errors)
        );
        println!(
            "ranges that hold                         {:.1} %, {:.1} % arrive before; {:.1} minutes wide",
            self.percent(self.held),
            self.percent(self.early),
            self.width / self.count
        );
    }

    fn check(&self) -> Result<()> {
        let (error, held) = (self.percent(self.errors), self.percent(self.held));
        ensure!(error <= MAX_ERROR, "the mean error is above {MAX_ERROR} %");
        let [least, most] = HOLDING;
        ensure!(
            (least..=most).contains(&held),
            "ranges hold outside {least} to {most} %"
        );
        Ok(())
    }
}
