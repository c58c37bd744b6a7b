//! OSRM: an osrm-routed process for each kind of vehicle, on the roads of one map.

mod prepare;
mod router;
mod tools;

use std::path::Path;

pub use self::router::Router;
use self::tools::Tools;
use crate::{Home, Report, ServersError, port, unprivileged};

/// The vehicles that have separate roads and speeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vehicle {
    Bike,
    Scooter,
    Car,
}

impl Vehicle {
    pub const ALL: [Self; 3] = [Self::Bike, Self::Scooter, Self::Car];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Bike => "bike",
            Self::Scooter => "scooter",
            Self::Car => "car",
        }
    }
}

/// A port of the loopback address for each vehicle. They are known before the roads are prepared, which may
/// take minutes.
#[derive(Clone, Copy, Debug)]
pub struct RouterPorts([u16; 3]);

impl RouterPorts {
    /// Free ones.
    pub fn free() -> Result<Self, ServersError> {
        Ok(Self([port::free()?, port::free()?, port::free()?]))
    }

    fn each(self) -> impl Iterator<Item = (Vehicle, u16)> {
        Vehicle::ALL.into_iter().zip(self.0)
    }

    /// The addresses, as `TIFFIN_ROUTER_URL` has them: `bike=http://127.0.0.1:1,scooter=…,car=…`.
    pub fn urls(self) -> String {
        let urls: Vec<String> = self
            .each()
            .map(|(vehicle, port)| format!("{}={}", vehicle.name(), router::url(port)))
            .collect();
        urls.join(",")
    }
}

/// The routers of one map.
#[derive(Debug)]
pub struct Osrm {
    pub routers: Vec<Router>,
}

impl Osrm {
    /// Prepares the roads of `map`, an `.osm.pbf` or `.osm` file, unless they are below `home` from an
    /// earlier start, and starts a router for each vehicle.
    pub async fn start(
        home: &Home,
        map: &Path,
        ports: RouterPorts,
        report: Report<'_>,
    ) -> Result<Self, ServersError> {
        let map = prepare::Map::find(map)?;
        let tools = Tools::find(home.packages(), report).await?;
        let folder = unprivileged::reachable(&home.folder().join("routing"));
        unprivileged::make_folder(&folder)?;
        let roads = prepare::all(home, &tools, &map, &folder, report).await?;
        let mut routers = Vec::new();
        for ((vehicle, port), roads) in ports.each().zip(roads) {
            routers.push(Router::start(home, &tools, vehicle, port, roads).await?);
        }
        Ok(Self { routers })
    }

    /// Stops all.
    pub async fn stop(&mut self) {
        for router in &mut self.routers {
            router.stop().await;
        }
    }
}
