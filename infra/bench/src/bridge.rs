//! Our bridge as a separate process: the service and its HTTP server, nothing else.

use std::io::Read;

use anyhow::{Context, Result};
use serde_json::json;
use tiffin_chassis::{BehindProxy, Connections, Env, connections, server, telemetry};
use tiffin_events::{Clock, Role};
use tiffin_live::{Config, State};
use tiffin_testkit::{token, verifier};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::systems::audience::{client, customer};

/// Serves until standard input ends; prints its port and a token once it is ready.
pub fn run() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve())
}

async fn serve() -> Result<()> {
    let env = Env::from_process();
    let _telemetry = telemetry::start(&env);
    let mut config = Config::from_env(&env)?;
    // All watchers are one account's here, of one network.
    config.limits.account_sockets = config.limits.sockets;
    config.limits.network_share = 1;
    connections::raise_limit();
    let client = client(config.broker.as_str()).await.context("the broker")?;
    let clock = Clock::system();
    let verifier = verifier(&clock);
    let shutdown = CancellationToken::new();
    let state = State::new(config, client, &verifier, shutdown.clone())?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let token = token(&clock, customer(), Role::Customer).sign();
    let port = listener.local_addr()?.port();
    println!("{}", json!({"port": port, "token": token}));
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
