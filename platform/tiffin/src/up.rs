//! `tiffin up`: everything on this machine.

mod environment;
mod listen;
mod progress;
mod routers;
mod servers;
mod supervisor;
mod web_build;

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Instant};

use anyhow::Result;
use axum::Router;
use sqlx::PgPool;
use tiffin_chassis::{
    BehindProxy, Connections, Env, Problem, Readiness, Revocations, Verifier, connections,
    env::EnvError, refusal::NoOperation, server, telemetry, transport::Transport,
};
use tiffin_events::Clock;
use tiffin_servers::Home;
use time::OffsetDateTime;
use tokio::task::JoinSet;
use utoipa::openapi::OpenApi;

use self::{
    listen::Listeners,
    routers::{RouterPlan, RouterSupervisor},
    servers::Servers,
    supervisor::ServersState,
};
use crate::{
    asyncapi, database,
    deferred::Deferred,
    demo::{self, DemoState},
    host::{self, BrokerConnections, Host},
    keys, openapi,
    run_file::RunFile,
    services::Service,
    stop,
    web::{self, Documents, WebConfig},
};

/// The options of `tiffin up`.
#[derive(Debug, Default, clap::Args)]
pub struct Options {
    /// Leaves out the demo's people, restaurants and orders.
    #[arg(long)]
    no_demo: bool,
}

/// Starts everything and runs until Ctrl-C or SIGTERM.
pub async fn run(options: Options, env: Env) -> Result<()> {
    let _telemetry = telemetry::start(&environment::with_quiet_logs(env.clone()));
    let stop = stop::on_signal()?;
    connections::raise_limit();
    let (transport, connections) = edge(&env)?;
    let began = Instant::now();
    println!("Tiffin {}", env!("CARGO_PKG_VERSION"));
    let home = Arc::new(environment::home(&env)?);
    RunFile::remove(home.folder());
    let listeners = Listeners::bind(&env).await?;
    let url = format!("http://localhost:{}", listeners.port);
    let internal_listener = listen::inside(&env).await?;
    let internal_url = format!("http://{}", internal_listener.local_addr()?);
    let readiness = Readiness::default();
    let (deferred, internal_routes) = (Deferred::new(&readiness), Deferred::default());
    let demo = !options.no_demo && listeners.is_private;
    let router_plan = RouterPlan::read(&env, demo)?;
    let env = environment::of_services(env, &home, &url, &internal_url, demo)?;
    let start = Startup {
        env: match &router_plan {
            Some(plan) => plan.announced(env),
            None => env,
        },
        router_plan,
        internal_url,
        internal_routes: &internal_routes,
        demo,
        url,
        home: &home,
        began,
        deferred: &deferred,
        readiness: &readiness,
    };
    let app = transport.wrap(readiness.router().merge(deferred.router()));
    let mut listening = JoinSet::new();
    listening.spawn(listeners.serve(app, connections, stop.clone()));
    let app = readiness.internal().merge(internal_routes.router());
    listening.spawn(server::serve_within(
        internal_listener,
        app,
        Connections::internal(),
        stop.clone(),
    ));
    let platform = tokio::select! {
        () = stop.cancelled() => None,
        platform = start.run() => Some(platform?),
    };
    let Some(platform) = platform else {
        return Ok(());
    };
    let result = tokio::select! {
        // The stop ends the listeners, too.
        biased;
        () = stop.cancelled() => Ok(()),
        gave_up = platform.keep_running() => Err(gave_up),
        gave_up = listen::ended(&mut listening) => Err(gave_up),
    };
    // Everything else stops in the same order, for any reason.
    stop.cancel();
    println!("\nstopping");
    while let Some(ended) = listening.join_next().await {
        ended?;
    }
    platform.stop().await;
    RunFile::remove(home.folder());
    println!("stopped");
    result
}

/// The rules for connections from outside, from the operator's settings.
pub fn edge(env: &Env) -> Result<(Transport, Connections), EnvError> {
    let connections = Connections::of_process(BehindProxy::read(env)?);
    Ok((Transport::read(env)?, connections))
}

/// The inputs of a start, and the parts that it fills.
struct Startup<'a> {
    env: Env,
    url: String,
    internal_url: String,
    demo: bool,
    router_plan: Option<RouterPlan>,
    home: &'a Arc<Home>,
    began: Instant,
    deferred: &'a Deferred,
    /// The routes for other services.
    internal_routes: &'a Deferred,
    readiness: &'a Readiness,
}

/// The running parts, in the order in which they are stopped.
struct Platform {
    host: Host,
    pools: Vec<PgPool>,
    databases: BTreeMap<Service, String>,
    routers: RouterSupervisor,
    servers: Servers,
    broker_connections: BrokerConnections,
    url: String,
    internal_url: String,
    home: PathBuf,
    started_at: OffsetDateTime,
}

impl Startup<'_> {
    async fn run(&self) -> Result<Platform> {
        let web_folder = web_build::ensure_built(&self.env);
        let (web_folder, (platform, routes, described)) =
            tokio::try_join!(web_folder, self.services())?;
        let documents = Documents {
            openapi: openapi::merge(described)?,
            asyncapi: asyncapi::document()?,
        };
        let config = WebConfig::read(&self.env)?;
        let web = server::wrap("web", web::router(&web_folder, &config, &documents)?);
        self.deferred.set(routes.fallback_service(web));
        self.report(&platform)?;
        Ok(platform)
    }

    /// Starts everything but the web app. Returns the platform, its routes, and the OpenAPI description of each
    /// service.
    async fn services(&self) -> Result<(Platform, Router, Vec<OpenApi>)> {
        let servers = Servers::start(&self.env, self.home).await?;
        let osrm = RouterSupervisor::start(self.router_plan.clone(), Arc::clone(self.home));
        let broker_connections = servers.connect(&self.env).await?;
        let databases = self.databases(&servers, &broker_connections).await?;
        let step = progress::step();
        let clock = Clock::system();
        let started_at = clock.now();
        let jwks = format!("{}/.well-known/jwks.json", self.url).parse()?;
        let verifier = Verifier::new(jwks, clock.clone(), Revocations::default());
        let user_connection = broker_connections.of(Service::User);
        host::watch(self.readiness, &user_connection, &verifier);
        let host = Host::new(self.env.clone(), clock, user_connection.broker, verifier);
        let mut platform = Platform {
            host,
            pools: Vec::new(),
            databases,
            routers: osrm,
            servers,
            broker_connections,
            url: self.url.clone(),
            internal_url: self.internal_url.clone(),
            home: self.home.folder().to_owned(),
            started_at,
        };
        let (mut routes, mut internal) = (Router::new(), Router::new());
        let mut described = Vec::new();
        for service in Service::ALL {
            let (own, internal_routes, description) = self.service(&mut platform, service)?;
            routes = routes.merge(own);
            internal = internal.merge(internal_routes);
            described.push(description);
        }
        self.internal_routes
            .set(server::harden("internal", internal));
        step.done(&format!("{} services", Service::ALL.len()));
        let routes = routes.method_not_allowed_fallback(method_not_allowed);
        Ok((platform, routes, described))
    }

    /// The databases as they were left; with the demo, if they were never used.
    async fn databases(
        &self,
        servers: &Servers,
        broker_connections: &BrokerConnections,
    ) -> Result<BTreeMap<Service, String>> {
        let folder = self.home.folder();
        let state = DemoState::read(folder)?;
        if state == DemoState::Begun {
            progress::note("the demo was interrupted while it was made: starting afresh");
            servers.forget().await?;
            demo::delete_streams(&broker_connections.setup).await;
            broker_connections.setup.prepare().await?;
            DemoState::Absent.write(folder)?;
        }
        let databases = servers.databases(self.home).await?;
        if let Some(url) = databases.get(&Service::User) {
            let pool = database::pool(url, Service::User.name(), database::COMMAND_CONNECTIONS)?;
            keys::seal_stored(&pool, &self.env).await?;
            pool.close().await;
        }
        if self.demo && state != DemoState::Complete && demo::is_wanted(&databases).await? {
            let step = progress::step();
            // A real provider takes no payments of the past.
            let env = self.env.clone().with("TIFFIN_PAYMENT_PROVIDER", "sandbox");
            demo::make(folder, &env, broker_connections, &databases).await?;
            step.done("demo: 12 restaurants, 80 dishes, past orders");
        }
        Ok(databases)
    }

    /// Starts a service. Returns its routes for clients, those for other services, and its OpenAPI description.
    fn service(
        &self,
        platform: &mut Platform,
        service: Service,
    ) -> Result<(Router, Router, OpenApi)> {
        let pool = match platform.databases.get(&service) {
            Some(url) => Some(database::pool(
                url,
                service.name(),
                database::connections(&self.env)?,
            )?),
            None => None,
        };
        let connection = platform.broker_connections.of(service);
        let started = platform.host.start(service, pool.as_ref(), &connection)?;
        let (routes, description) = started.public.split_for_parts();
        if let Some(pool) = pool {
            host::watch_database(self.readiness, service, &pool);
            tokio::spawn(database::close_surplus(
                pool.clone(),
                database::IDLE_CHECK_INTERVAL,
            ));
            host::watch_history(self.readiness, service, &pool);
            platform.pools.push(pool);
        }
        Ok((
            server::wrap(service.name(), routes),
            started.internal,
            description,
        ))
    }

    /// Prints the address for people, and writes `run.json` for programs.
    fn report(&self, platform: &Platform) -> Result<()> {
        platform.running().write()?;
        println!(
            "\nTiffin is ready after {:.1} s: {}",
            self.began.elapsed().as_secs_f32(),
            self.url
        );
        if DemoState::read(self.home.folder())? == DemoState::Complete && self.demo {
            println!("\nSign in with the password {} as", demo::PASSWORD);
            for (email, does) in demo::ACCOUNTS {
                println!("  {email:<24} {does}");
            }
        }
        Ok(())
    }
}

impl Platform {
    /// Writes each change of the servers' process ids to `run.json`. Returns once a server can't be kept running.
    async fn keep_running(&self) -> anyhow::Error {
        let mut states = self.servers.states();
        let mut routers = self.routers.running();
        // Those that began before `run.json` was written are news, too.
        routers.mark_changed();
        loop {
            let changed = tokio::select! {
                changed = states.changed() => changed,
                changed = routers.changed() => changed,
            };
            if changed.is_err() {
                return anyhow::Error::msg("the servers are not watched any more");
            }
            if let ServersState::GaveUp(sentence) = states.borrow_and_update().clone() {
                return anyhow::Error::msg(sentence);
            }
            if let Err(error) = self.running().write() {
                tracing::warn!(%error, "run.json could not be written");
            }
        }
    }

    /// The content of `run.json`.
    fn running(&self) -> RunFile {
        let (nats, postgres) = self.servers.entries();
        let named = |service: Service| service.name().to_owned();
        RunFile {
            url: self.url.clone(),
            internal: self.internal_url.clone(),
            pid: std::process::id(),
            started_at: self.started_at,
            home: self.home.clone(),
            mail: self.home.join("mail"),
            services: Service::ALL
                .into_iter()
                .map(|service| (named(service), self.url.clone()))
                .collect(),
            databases: self
                .databases
                .iter()
                .map(|(service, url)| (named(*service), url.clone()))
                .collect(),
            nats,
            postgres,
            routers: self
                .routers
                .entries()
                .into_iter()
                .map(|(vehicle, entry)| (vehicle.to_owned(), entry))
                .collect(),
        }
    }

    /// Finishes the work under way, then stops the servers.
    async fn stop(self) {
        self.host.stop().await;
        for pool in self.pools {
            pool.close().await;
        }
        self.routers.stop().await;
        self.servers.stop().await;
    }
}

async fn method_not_allowed() -> Problem {
    Problem::from(NoOperation::Method)
}
