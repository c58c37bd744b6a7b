//! The routers of `tiffin up`: OSRM on an operator's map or the demo's. They start beside everything else, and
//! the platform goes on without them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result};
use futures_util::future::{BoxFuture, FutureExt};
use tiffin_chassis::Env;
use tiffin_servers::{Home, Osrm, Router, RouterPorts, ServersError};
use tokio::{sync::watch, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::{
    progress,
    supervisor::{CHECK_INTERVAL, Server, SupervisedServer},
};
use crate::run_file::ServerEntry;

/// The roads of the web app's built-in map.
const DEMO_ROADS: &str = include_str!("../../demo/colombo.osm");
/// The variable that names routers which run already, and where services find ours.
const ADDRESSES: &str = "TIFFIN_ROUTER_URL";

/// By vehicle.
pub type RouterEntries = BTreeMap<&'static str, ServerEntry>;

#[derive(Clone, Debug)]
enum RoadMap {
    File(PathBuf),
    Demo,
}

/// The routers that are to be started. Their addresses are known before they answer.
#[derive(Clone, Debug)]
pub struct RouterPlan {
    map: RoadMap,
    ports: RouterPorts,
}

impl RouterPlan {
    /// Routers on the map of `TIFFIN_OSM`, else on the demo's; none if `TIFFIN_ROUTER_URL` names others.
    pub fn read(env: &Env, demo: bool) -> Result<Option<Self>> {
        if env.get(ADDRESSES).is_some() {
            return Ok(None);
        }
        let map = match env.get("TIFFIN_OSM") {
            Some(file) => RoadMap::File(PathBuf::from(file)),
            None if demo => RoadMap::Demo,
            None => return Ok(None),
        };
        let ports = RouterPorts::free()?;
        Ok(Some(Self { map, ports }))
    }

    /// The environment with their addresses.
    pub fn announced(&self, env: Env) -> Env {
        env.with(ADDRESSES, self.ports.urls())
    }

    async fn start(&self, home: &Home) -> Result<Vec<Router>> {
        let map = match &self.map {
            RoadMap::File(file) => file.clone(),
            RoadMap::Demo => demo_map(home.folder())?,
        };
        let osrm = Osrm::start(home, &map, self.ports, &progress::note).await?;
        Ok(osrm.routers)
    }
}

/// The demo's map as a file in the home folder.
fn demo_map(home: &Path) -> Result<PathBuf> {
    let file = home.join("colombo.osm");
    fs::write(&file, DEMO_ROADS).context("the demo's map can't be written")?;
    Ok(file)
}

/// Owns the routers until they are stopped.
pub struct RouterSupervisor {
    running: watch::Sender<RouterEntries>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl RouterSupervisor {
    /// Starts the routers of a plan in the background, and those again that end.
    pub fn start(plan: Option<RouterPlan>, home: Arc<Home>) -> Self {
        let running = watch::Sender::default();
        let stop = CancellationToken::new();
        let (send, stopped) = (running.clone(), stop.clone());
        let task = tokio::spawn(async move {
            let Some(plan) = plan else { return };
            let started = tokio::select! {
                () = stopped.cancelled() => return,
                started = plan.start(&home) => started,
            };
            match started {
                Ok(routers) => supervise(routers, &send, &stopped).await,
                Err(error) => progress::note(&format!("times and routes are estimates: {error}")),
            }
        });
        Self {
            running,
            stop,
            task,
        }
    }

    /// The routers that run, as they change.
    pub fn running(&self) -> watch::Receiver<RouterEntries> {
        self.running.subscribe()
    }

    pub fn entries(&self) -> RouterEntries {
        self.running.borrow().clone()
    }

    /// Stops the routers.
    pub async fn stop(self) {
        self.stop.cancel();
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the task that watches the routers ended; stopping without it");
        }
    }
}

/// Starts routers again that end, until `stop`. One that ends too often stays away.
async fn supervise(
    routers: Vec<Router>,
    running: &watch::Sender<RouterEntries>,
    stop: &CancellationToken,
) {
    progress::note("OSRM routes bikes, scooters and cars on streets");
    let mut routers: Vec<_> = routers.into_iter().map(SupervisedServer::new).collect();
    loop {
        let now = routers.iter().map(|router| entry(&router.server)).collect();
        running.send_if_modified(|last| {
            let is_news = *last != now;
            *last = now;
            is_news
        });
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(CHECK_INTERVAL) => {}
        }
        let mut kept = Vec::new();
        for mut router in routers {
            match router.restart_if_ended().await {
                Ok(()) => kept.push(router),
                Err(sentence) => progress::note(&format!(
                    "times and routes of a {} are estimates: {sentence}",
                    router.server.vehicle.name()
                )),
            }
        }
        routers = kept;
    }
    for mut router in routers {
        router.server.stop().await;
    }
}

fn entry(router: &Router) -> (&'static str, ServerEntry) {
    let entry = ServerEntry {
        pid: router.pid(),
        url: router.url(),
    };
    (router.vehicle.name(), entry)
}

impl Server for Router {
    const NAME: &'static str = "osrm-routed";

    fn id(&self) -> Option<u32> {
        self.pid()
    }

    fn ended(&mut self) -> Option<String> {
        Router::ended(self).map(|status| status.to_string())
    }

    fn start_again(&mut self) -> BoxFuture<'_, Result<(), ServersError>> {
        Router::start_again(self).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routers_are_the_operators_or_on_a_map_or_none() {
        let plan = |variables: &[(&'static str, &str)], demo| {
            let env = variables
                .iter()
                .fold(Env::default(), |env, (name, value)| env.with(name, *value));
            RouterPlan::read(&env, demo).unwrap().map(|plan| plan.map)
        };
        assert!(matches!(plan(&[], true), Some(RoadMap::Demo)));
        assert!(plan(&[], false).is_none());
        let osm = ("TIFFIN_OSM", "lanka.osm.pbf");
        for demo in [true, false] {
            let map = plan(&[osm], demo);
            assert!(matches!(map, Some(RoadMap::File(file)) if file.ends_with("lanka.osm.pbf")));
            let other = (ADDRESSES, "http://router.example");
            assert!(plan(&[osm, other], demo).is_none());
        }
    }
}
