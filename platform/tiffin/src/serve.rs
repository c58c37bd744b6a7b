//! `tiffin serve`: one service alone, configured by its environment.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::Path,
};

use anyhow::{Context, Result};
use axum::Router;
use clap::{ValueEnum, builder::PossibleValue};
use sqlx::PgPool;
use tiffin_bus::Broker;
use tiffin_chassis::{
    Connections, Env, Readiness, Revocations, Verifier, connections, server, telemetry,
};
use tiffin_events::{Clock, Currency};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{
    archive, asyncapi, database,
    deferred::Deferred,
    host::{self, BrokerConnection, Host},
    keys, migrate, openapi,
    services::Service,
    stop,
    up::edge,
    web::{self, Documents, WebConfig},
};

/// A part that can be served: a service or the web app's files.
#[derive(Clone, Copy, Debug)]
pub enum ServeTarget {
    Service(Service),
    Web,
}

impl ValueEnum for ServeTarget {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [ServeTarget; Service::ALL.len() + 1] = {
            let mut all = [ServeTarget::Web; Service::ALL.len() + 1];
            let mut at = 0;
            while at < Service::ALL.len() {
                all[at] = ServeTarget::Service(Service::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Service(service) => Some(PossibleValue::new(service.name())),
            Self::Web => Some(PossibleValue::new("web").help("the web app's files")),
        }
    }
}

/// Runs until Ctrl-C or SIGTERM.
pub async fn run(target: ServeTarget, env: Env) -> Result<()> {
    let _telemetry = telemetry::start(&env);
    let stop = stop::on_signal()?;
    connections::raise_limit();
    match target {
        ServeTarget::Service(service) => serve(service, env, stop).await,
        ServeTarget::Web => serve_web(&env, stop).await,
    }
}

async fn serve(service: Service, env: Env, stop: CancellationToken) -> Result<()> {
    let readiness = Readiness::default();
    let deferred = Deferred::new(&readiness);
    let listener = listen(&env, service.row().port).await?;
    let address = listener.local_addr()?;
    tracing::info!(service = service.name(), %address, "listening");
    let internal_listener = listen_internal(&env, address).await?;
    let deferred_internal = Deferred::default();
    let internal = tokio::spawn(server::serve_within(
        internal_listener,
        readiness.internal().merge(deferred_internal.router()),
        Connections::internal(),
        stop.clone(),
    ));
    let (transport, connections) = edge(&env)?;
    let app = transport.wrap(readiness.router().merge(deferred.router()));
    // HTTP stops first; tasks go on until the last request is answered.
    let http = tokio::spawn(server::serve_within(
        listener,
        app,
        connections,
        stop.clone(),
    ));
    let started = tokio::select! {
        () = stop.cancelled() => None,
        started = start(service, env, &readiness, &deferred) => Some(started),
    };
    let Some(started) = started else {
        internal.await?;
        return Ok(http.await?);
    };
    let Started {
        host,
        pool,
        routes,
        internal: internal_routes,
    } = started?;
    deferred_internal.set(internal_routes);
    deferred.set(routes);
    tracing::info!(service = service.name(), "ready");
    http.await?;
    internal.await?;
    host.stop().await;
    if let Some(pool) = pool {
        pool.close().await;
    }
    Ok(())
}

struct Started {
    host: Host,
    pool: Option<PgPool>,
    routes: Router,
    internal: Router,
}

async fn start(
    service: Service,
    env: Env,
    readiness: &Readiness,
    deferred: &Deferred,
) -> Result<Started> {
    let pool = match service.migrations() {
        None => None,
        Some(migrations) => {
            let migrates = migrate::by_itself(&env)?;
            let pool = database::pool(
                env.required("DATABASE_URL")?,
                service.name(),
                database::connections(&env)?,
            )?;
            deferred.set_reason("waiting for the database");
            database::wait_until_reachable(&pool, service.name()).await;
            if migrates {
                database::migrate(&pool, migrations).await?;
            } else {
                deferred.set_reason("waiting for `tiffin migrate`");
                database::wait_until_migrated(&pool, service.name(), migrations).await;
            }
            if service.counts_money() {
                database::keep_currency(&pool, Currency::of_process()).await?;
            }
            if service == Service::User {
                keys::seal_stored(&pool, &env).await?;
            }
            host::watch_database(readiness, service, &pool);
            tokio::spawn(database::close_surplus(
                pool.clone(),
                database::IDLE_CHECK_INTERVAL,
            ));
            host::watch_history(readiness, service, &pool);
            Some(pool)
        }
    };
    let url = env
        .get("NATS_URL")
        .unwrap_or("nats://127.0.0.1:4222")
        .to_owned();
    // Requests are answered without the broker; what they change waits in the outbox.
    let broker = Broker::begin(&url, service.name())
        .await
        .context("NATS_URL can't be used")?
        .with_archive(archive::open(&env)?);
    let connection = BrokerConnection::new(broker, url);
    let clock = Clock::system();
    let verifier = Verifier::new(jwks_url(&env)?, clock.clone(), Revocations::default());
    let origins: Vec<String> = env
        .get("TIFFIN_ORIGINS")
        .unwrap_or_default()
        .split(',')
        .map(|origin| origin.trim().to_owned())
        .collect();
    host::watch(readiness, &connection, &verifier);
    let host = Host::new(env, clock, connection.broker.clone(), verifier);
    host.wait_for_streams(&connection);
    let started = host.start(service, pool.as_ref(), &connection)?;
    let (routes, _) = started.public.split_for_parts();
    let routes = server::harden(service.name(), routes).layer(server::cors(&origins));
    Ok(Started {
        host,
        pool,
        routes,
        internal: server::harden(service.name(), started.internal),
    })
}

fn jwks_url(env: &Env) -> Result<Url> {
    let set = env.get("TIFFIN_JWKS_URL").map_or_else(
        || {
            format!(
                "http://127.0.0.1:{}/.well-known/jwks.json",
                Service::User.row().port
            )
        },
        str::to_owned,
    );
    set.parse().context("TIFFIN_JWKS_URL can't be read")
}

async fn serve_web(env: &Env, stop: CancellationToken) -> Result<()> {
    let folder = env.required("TIFFIN_WEB")?;
    let config = WebConfig::read(env)?;
    let listener = listen(env, 8080).await?;
    let address = listener.local_addr()?;
    tracing::info!(service = "web", %address, "listening");
    let documents = Documents {
        openapi: openapi::document(&Service::ALL).await?,
        asyncapi: asyncapi::document()?,
    };
    let web = web::router(Path::new(folder), &config, &documents)?;
    let readiness = Readiness::default();
    let internal_listener = listen_internal(env, address).await?;
    let (transport, connections) = edge(env)?;
    let app = transport.wrap(readiness.router().merge(server::wrap("web", web)));
    tokio::join!(
        server::serve_within(listener, app, connections, stop.clone()),
        server::serve_within(
            internal_listener,
            readiness.internal(),
            Connections::internal(),
            stop
        )
    );
    Ok(())
}

/// Listens on `TIFFIN_INTERNAL_BIND`; without one on the loopback address, a thousand ports above the
/// public side.
async fn listen_internal(env: &Env, public: SocketAddr) -> Result<TcpListener> {
    let address: Option<SocketAddr> = env.parse("TIFFIN_INTERNAL_BIND")?;
    let port = public.port().checked_add(1000).unwrap_or_default();
    let address = address.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, port).into());
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!("can't listen on {address}: set TIFFIN_INTERNAL_BIND to an address that is free")
    })?;
    tracing::info!(address = %listener.local_addr()?, "listening for operators and other services");
    Ok(listener)
}

/// Listens on `TIFFIN_BIND`, on the loopback address without one.
async fn listen(env: &Env, port: u16) -> Result<TcpListener> {
    let address: Option<SocketAddr> = env.parse("TIFFIN_BIND")?;
    let address = address.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, port).into());
    TcpListener::bind(address)
        .await
        .with_context(|| format!("can't listen on {address}"))
}
