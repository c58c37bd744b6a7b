//! Our bridge as a separate process: the service and its HTTP server, nothing else.

use std::io::Read;

use anyhow::{Context, Result};
use clap::Args;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{BehindProxy, Connections, Env, connections, server, telemetry};
use tiffin_events::{Clock, Role};
use tiffin_live::{Config, State};
use tiffin_testkit::{token, verifier};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::systems::audience::{client, customer, driver};

#[derive(Debug, Args)]
pub struct Options {
    /// Drivers who need a token.
    #[arg(long)]
    drivers: u128,
}

/// The line that the bridge prints once it is ready.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ready {
    pub port: u16,
    /// The customer's token.
    pub token: String,
    /// The drivers' tokens.
    pub drivers: Vec<String>,
}

/// Serves until standard input ends; prints [`Ready`] first.
pub fn run(options: &Options) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve(options.drivers))
}

async fn serve(drivers: u128) -> Result<()> {
    let env = Env::from_process()?;
    let _telemetry = telemetry::start(&env);
    let mut config = Config::from_env(&env)?;
    // All watchers are one account's here, of one network.
    config.limits.account_sockets = config.limits.sockets;
    config.limits.network_share = 1;
    connections::raise_limit();
    let client = client(env.required("NATS_URL")?)
        .await
        .context("the broker")?;
    let clock = Clock::system();
    let verifier = verifier(&clock);
    let shutdown = CancellationToken::new();
    let state = State::new(config, client, &verifier, shutdown.clone())?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let drivers = (0..drivers).map(|topic| token(&clock, driver(topic), Role::Delivery).sign());
    let ready = Ready {
        port: listener.local_addr()?.port(),
        token: token(&clock, customer(), Role::Customer).sign(),
        drivers: drivers.collect(),
    };
    println!("{}", serde_json::to_string(&ready)?);
    let app = server::harden(tiffin_live::NAME, tiffin_live::router(state.clone()));
    std::thread::spawn({
        let shutdown = shutdown.clone();
        move || {
            // When our parent ends in any way, this pipe ends, and so do we.
            let _ = std::io::stdin().read(&mut [0]);
            shutdown.cancel();
        }
    });
    server::serve_within(
        listener,
        app,
        Connections::of_process(BehindProxy(true)),
        shutdown,
    )
    .await;
    state.stopped().await;
    Ok(())
}
