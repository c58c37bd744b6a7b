//! The read models of the other services that consume the orders' events, rebuilt from the first event.
//!
//! The first rebuild fills their empty tables. The rebuilds after it must say the same, and are compared by hash.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use sqlx::{PgPool, migrate::Migrator};
use tempfile::TempDir;
use tiffin_bus::Consumer;
use tiffin_chassis::Env;
use tiffin_events::{Clock, Stream};
use tiffin_testkit::{recorder, verifier};

use crate::replay::{
    orders::Order,
    rebuild,
    servers::{Service, TestServers},
};

/// The services, which start with their read models.
pub const SERVICES: [&str; 4] = [
    tiffin_media::NAME,
    tiffin_notification::NAME,
    tiffin_payment::NAME,
    tiffin_user::NAME,
];
/// A master key that seals nothing here.
const MASTER_KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

pub struct Models<'a> {
    all: Vec<Model<'a>>,
    _folder: TempDir,
}

struct Model<'a> {
    consumer: String,
    service: Service<'a>,
}

impl<'a> Models<'a> {
    /// Starts the services, which count every event as handled.
    pub async fn start(servers: &'a TestServers, orders: &[Order]) -> Result<Self> {
        let (clock, folder) = (Clock::system(), TempDir::new()?);
        let path = folder.path().to_string_lossy().into_owned();
        let env = Env::from_pairs([
            ("TIFFIN_ANON_KEY", "bench"),
            ("TIFFIN_MAIL_DIR", &path),
            ("TIFFIN_MASTER_KEY", MASTER_KEY),
            ("TIFFIN_MEDIA_DIR", &path),
            ("TIFFIN_SERVICE_KEY", "bench"),
        ]);
        let (verifier, recorder) = (verifier(&clock), recorder(&clock));
        let media = Model::start(
            servers,
            orders,
            tiffin_media::NAME,
            &tiffin_media::MIGRATIONS,
            |pool| {
                let state = tiffin_media::State::new(pool, verifier.clone(), clock.clone(), &env)?;
                Ok(tiffin_media::consumers(&state))
            },
        );
        let media = media.await?;
        let name = tiffin_notification::NAME;
        let notification = Model::start(
            servers,
            orders,
            name,
            &tiffin_notification::MIGRATIONS,
            |pool| {
                let state = tiffin_notification::State::new(
                    pool,
                    verifier.clone(),
                    recorder.clone(),
                    &env,
                )?;
                Ok(tiffin_notification::consumers(&state))
            },
        );
        let notification = notification.await?;
        let payment = Model::start(
            servers,
            orders,
            tiffin_payment::NAME,
            &tiffin_payment::MIGRATIONS,
            |pool| {
                let state =
                    tiffin_payment::State::new(pool, verifier.clone(), recorder.clone(), &env)?;
                Ok(tiffin_payment::consumers(&state))
            },
        );
        let payment = payment.await?;
        let user = Model::start(
            servers,
            orders,
            tiffin_user::NAME,
            &tiffin_user::MIGRATIONS,
            |pool| {
                let state = tiffin_user::State::new(pool, verifier.clone(), clock.clone(), &env)?;
                Ok(tiffin_user::consumers(&state))
            },
        );
        let user = user.await?;
        Ok(Self {
            all: vec![media, notification, payment, user],
            _folder: folder,
        })
    }

    /// Fills the empty tables.
    pub async fn fill(&self, events: u64) -> Result<()> {
        for model in &self.all {
            let (report, seconds) = model.service.rebuild(&model.consumer, Some(events)).await?;
            println!(
                "{} filled: {}; {seconds:.1} s",
                model.consumer,
                rows(&report)
            );
        }
        Ok(())
    }

    /// Rebuilds each once more: the rows are the same.
    pub async fn rebuild(&self, events: u64) -> Result<()> {
        for model in &self.all {
            let (report, seconds) = model.service.rebuild(&model.consumer, Some(events)).await?;
            ensure!(report["equal"] == true, "{}: {report}", model.consumer);
            println!(
                "{} rebuilt: equal, {}; {seconds:.1} s",
                model.consumer,
                rows(&report)
            );
        }
        Ok(())
    }
}

impl<'a> Model<'a> {
    async fn start(
        servers: &'a TestServers,
        orders: &[Order],
        name: &'static str,
        migrations: &'static Migrator,
        consumers: impl FnOnce(PgPool) -> Result<Vec<Consumer>>,
    ) -> Result<Self> {
        let database = format!("tiffin_{name}");
        let pool = servers.database(&database, migrations).await?;
        let consumers = consumers(pool.clone())?;
        let consumer = consumers.iter().find(|it| it.stream == Stream::Orders);
        let consumer = consumer.context("a consumer of orders")?.name.clone();
        rebuild::count_as_handled(&pool, &consumer, orders).await?;
        let service = Service::start(servers, name, &pool, &consumers);
        service.ready().await?;
        Ok(Self { consumer, service })
    }
}

/// The rows of each table.
fn rows(report: &Value) -> String {
    let tables = report["tables"].as_array().into_iter().flatten();
    let rows = tables.map(|table| {
        let name = table["table"].as_str().unwrap_or_default();
        format!("{} {name}", table["rebuiltRows"])
    });
    rows.collect::<Vec<_>>().join(", ")
}
