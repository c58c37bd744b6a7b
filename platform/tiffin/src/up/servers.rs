//! PostgreSQL and NATS: servers that `tiffin up` starts, or those of `DATABASE_URL` and `NATS_URL`.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use futures_util::future::try_join_all;
use tiffin_bus::Broker;
use tiffin_chassis::Env;
use tiffin_events::Currency;
use tiffin_servers::{Durability, Home, Nats, Postgres};
use tokio::sync::watch;

use super::{
    progress,
    supervisor::{ServerSupervisor, ServersState},
};
use crate::{
    archive, database,
    host::{BrokerConnection, BrokerConnections},
    prepare, roles,
    run_file::ServerEntry,
    services::Service,
};

#[derive(Debug)]
pub struct Servers {
    supervisor: ServerSupervisor,
    /// The address of the server's default database, to create others from.
    database_url: String,
    pub nats_url: String,
    /// The address at our broker of each service's user; empty with another broker.
    users: BTreeMap<Service, String>,
    /// True if the database server is ours: it has no other databases.
    is_own_server: bool,
}

impl Servers {
    /// Uses the servers of `DATABASE_URL` and `NATS_URL`, and starts those that are not given.
    pub async fn start(env: &Env, home: &Home) -> Result<Self> {
        let (postgres, nats) = tokio::try_join!(postgres(env, home), nats(env, home))?;
        let users = nats
            .iter()
            .flat_map(|nats| Service::ALL.map(|service| (service, nats.url_of(service.name()))));
        Ok(Self {
            users: users.collect(),
            is_own_server: postgres.is_some(),
            database_url: match &postgres {
                Some(postgres) => postgres.url("postgres"),
                None => env.get("DATABASE_URL").unwrap_or_default().to_owned(),
            },
            nats_url: match &nats {
                Some(nats) => nats.url(),
                None => env.get("NATS_URL").unwrap_or_default().to_owned(),
            },
            supervisor: ServerSupervisor::start(nats, postgres),
        })
    }

    /// Connects to the broker: to make the streams, and once for each service as its user.
    pub async fn connect(&self, env: &Env) -> Result<BrokerConnections> {
        let caps = prepare::caps(env)?;
        let setup = Broker::connect(&self.nats_url, "up").await;
        let setup = setup.context("NATS_URL can't be used")?;
        let archive = archive::open(env)?;
        let setup = setup.with_caps(caps).with_archive(archive.clone());
        setup.prepare().await?;
        if self.users.is_empty() {
            tracing::info!("the broker is not ours: all services share the user of NATS_URL");
        }
        let mut broker_connections = BrokerConnections::shared(setup, self.nats_url.clone());
        for (service, url) in &self.users {
            let broker = Broker::connect(url, service.name()).await?;
            let broker = broker.with_archive(archive.clone());
            broker_connections.add(*service, BrokerConnection::prepared(broker, url.clone()));
        }
        Ok(broker_connections)
    }

    /// A database for each service that needs one, with its tables. Returns their addresses.
    pub async fn databases(&self, home: &Home) -> Result<BTreeMap<Service, String>> {
        let step = progress::step();
        let has_roles = roles::can_be_created(&self.database_url).await?;
        if has_roles {
            for service in Service::ALL
                .into_iter()
                .filter(|it| it.migrations().is_some())
            {
                let password = home.password(&format!("database/{}", service.name()))?;
                roles::ensure(&self.database_url, &database_name(service), &password).await?;
            }
            if self.is_own_server {
                roles::close_others(&self.database_url).await?;
            }
        } else {
            tracing::warn!(
                "the user of DATABASE_URL makes no roles: all services share it. Give it the right, or \
                 make the roles of infra/postgres/databases.sql yourself"
            );
        }
        let made = Service::ALL.into_iter().filter_map(|service| {
            let migrations = service.migrations()?;
            Some(async move {
                let name = database_name(service);
                let url = if has_roles {
                    let password = home.password(&format!("database/{}", service.name()))?;
                    roles::address(&self.database_url, &name, &password)?
                } else {
                    database::ensure(&self.database_url, &name).await?
                };
                let pool = database::pool(&url, service.name(), database::COMMAND_CONNECTIONS)?;
                database::migrate(&pool, migrations).await?;
                if service.counts_money() {
                    database::keep_currency(&pool, Currency::of_process()).await?;
                }
                pool.close().await;
                anyhow::Ok((service, url))
            })
        });
        let urls: BTreeMap<_, _> = try_join_all(made).await?.into_iter().collect();
        step.done(&format!("{} databases up to date", urls.len()));
        Ok(urls)
    }

    /// Removes the services' databases, with all that is in them.
    pub async fn forget(&self) -> Result<()> {
        for service in Service::ALL {
            database::drop(&self.database_url, &database_name(service)).await?;
        }
        Ok(())
    }

    pub fn entries(&self) -> (ServerEntry, ServerEntry) {
        let pids = self.supervisor.pids();
        let nats = ServerEntry {
            pid: pids.nats,
            url: self.nats_url.clone(),
        };
        let postgres = ServerEntry {
            pid: pids.postgres,
            url: self.database_url.clone(),
        };
        (nats, postgres)
    }

    /// The states of the servers that are ours, as they change.
    pub fn states(&self) -> watch::Receiver<ServersState> {
        self.supervisor.states()
    }

    /// Stops the servers that are ours, the broker first.
    pub async fn stop(self) {
        self.supervisor.stop().await;
    }
}

fn database_name(service: Service) -> String {
    format!("tiffin_{}", service.name())
}

async fn postgres(env: &Env, home: &Home) -> Result<Option<Postgres>> {
    if env.get("DATABASE_URL").is_some() {
        return Ok(None);
    }
    let step = progress::step();
    let server = Postgres::start(home, Durability::Full, &progress::note).await?;
    step.done(&format!("PostgreSQL on port {}", server.port()));
    Ok(Some(server))
}

async fn nats(env: &Env, home: &Home) -> Result<Option<Nats>> {
    if env.get("NATS_URL").is_some() {
        return Ok(None);
    }
    let step = progress::step();
    let server = Nats::start(home, Durability::Full, &progress::note).await?;
    step.done(&format!("nats-server on port {}", server.port()));
    Ok(Some(server))
}
