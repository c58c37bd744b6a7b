//! Real routers on the roads of Helsinki's centre.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Mutex,
    time::Duration,
};

use serde_json::Value;
use tiffin_servers::{Home, Osrm, Router, RouterPorts, ServersError};
use tiffin_testkit::helsinki;

/// From west of the railway station to the market square.
const STATION: &str = "24.9355,60.1693";
const MARKET: &str = "24.9538,60.1680";
/// The folder that a second process of this test prepares roads in.
const SHARED_HOME: &str = "TIFFIN_TEST_HOME";

fn packages() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.tiffin/servers")
}

fn silent(_: &str) {}

async fn start(home: &Home, map: &Path) -> Result<Osrm, ServersError> {
    Osrm::start(home, map, RouterPorts::free().unwrap(), &silent).await
}

/// The body of a router's answer.
fn ask(router: &Router, path: &str) -> Value {
    let host = router.url().replace("http://", "");
    let mut stream = TcpStream::connect(&host).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

/// The metres and seconds of a route.
fn route(router: &Router, from: &str, to: &str) -> (f64, f64) {
    let path = format!("/route/v1/any/{from};{to}?overview=false");
    let answer = ask(router, &path);
    assert_eq!(answer["code"], "Ok", "{answer}");
    let number = |name: &str| answer["routes"][0][name].as_f64().unwrap();
    (number("distance"), number("duration"))
}

/// True if the router knows a road near the market.
fn works(router: &Router) -> bool {
    ask(router, &format!("/nearest/v1/any/{MARKET}"))["code"] == "Ok"
}

fn runs(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

#[tokio::test]
async fn each_vehicle_has_its_routes_and_dies_and_stops_alone() {
    let home = Home::temporary(&packages()).unwrap();
    let ports = RouterPorts::free().unwrap();
    let mut osrm = Osrm::start(&home, &helsinki(), ports, &silent)
        .await
        .unwrap();
    let urls = osrm.routers.iter();
    let urls: Vec<String> = urls
        .map(|router| format!("{}={}", router.vehicle.name(), router.url()))
        .collect();
    assert_eq!(urls.join(","), ports.urls());
    for router in &osrm.routers {
        let (metres, seconds) = route(router, STATION, MARKET);
        assert!((1000.0..2000.0).contains(&metres), "{metres} m");
        assert!((150.0..900.0).contains(&seconds), "{seconds} s");
        assert!(works(router));
    }

    // Places are personal.
    for entry in fs::read_dir(home.folder().join("log")).unwrap() {
        let log = fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!log.contains("24.9"), "{log}");
    }

    let killed = osrm.routers.first_mut().unwrap();
    let (url, first) = (killed.url(), killed.pid().unwrap());
    killed.kill();
    assert!(!runs(first));
    killed.start_again().await.unwrap();
    assert_eq!(killed.url(), url);
    assert_ne!(killed.pid(), Some(first));
    assert!(works(killed));

    let pids: Vec<u32> = osrm.routers.iter().filter_map(Router::pid).collect();
    assert_eq!(pids.len(), 3);
    osrm.stop().await;
    assert!(!pids.into_iter().any(runs));
}

/// The names in a folder, with the times of the last change.
fn kept(home: &Path) -> Vec<(String, std::time::SystemTime)> {
    let mut kept: Vec<_> = fs::read_dir(home.join("routing"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| {
            let changed = entry.metadata().unwrap().modified().unwrap();
            (entry.file_name().into_string().unwrap(), changed)
        })
        .collect();
    kept.sort();
    kept
}

#[tokio::test]
async fn roads_are_prepared_once_and_again_for_another_map() {
    let home = Home::temporary(&packages()).unwrap();
    start(&home, &helsinki()).await.unwrap().stop().await;
    let first = kept(home.folder());
    assert_eq!(first.len(), 3);
    // As a crash leaves them.
    fs::create_dir(home.folder().join("routing/.preparing-crashed")).unwrap();
    let notes = Mutex::new(Vec::new());
    let report = |note: &str| notes.lock().unwrap().push(note.to_owned());
    let ports = RouterPorts::free().unwrap();
    let again = Osrm::start(&home, &helsinki(), ports, &report).await;
    again.unwrap().stop().await;
    assert_eq!(kept(home.folder()), first);
    assert!(notes.lock().unwrap().is_empty());

    let map = home.folder().join("small.osm");
    fs::write(&map, SMALL).unwrap();
    let mut osrm = start(&home, &map).await.unwrap();
    let second = kept(home.folder());
    assert_eq!(second.len(), 3);
    assert!(second.iter().all(|entry| !first.contains(entry)));
    let routes = osrm.routers.iter();
    let routes: Vec<_> = routes
        .map(|router| route(router, "79.85,6.90", "79.85,6.91"))
        .collect();
    let [bike, scooter, car] = routes[..] else {
        panic!("{routes:?}")
    };
    assert!(bike.1 > scooter.1 && scooter.1 > car.1, "{routes:?}");
    assert!(
        routes
            .iter()
            .all(|(metres, _)| (1000.0..1200.0).contains(metres))
    );
    osrm.stop().await;
}

/// One street, on which cars may be faster than scooters.
const SMALL: &str = r#"<osm version="0.6">
<node id="1" lat="6.90" lon="79.85"/><node id="2" lat="6.91" lon="79.85"/>
<way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="trunk"/><tag k="bicycle" v="yes"/></way>
</osm>"#;

#[tokio::test]
async fn a_map_that_is_none_is_refused_in_a_sentence() {
    let home = Home::temporary(&packages()).unwrap();
    let at = |name: &str| home.folder().join(name);
    let whole = fs::read(helsinki()).unwrap();
    fs::write(at("cut.osm.pbf"), &whole[..whole.len() / 2]).unwrap();
    fs::write(at("words.osm.pbf"), "not a map\n").unwrap();
    fs::write(at("empty.osm"), r#"<osm version="0.6"></osm>"#).unwrap();
    fs::write(at("map.txt"), "not a map\n").unwrap();
    for (name, reason) in [
        ("cut.osm.pbf", "PBF error: unexpected EOF"),
        ("words.osm.pbf", "PBF error: invalid BlobHeader size"),
        ("empty.osm", "no edges remaining"),
        ("map.txt", "its name ends with neither .osm.pbf nor .osm"),
        ("missing.osm", "there is no such file"),
    ] {
        let refused = start(&home, &at(name)).await.unwrap_err();
        assert!(matches!(refused, ServersError::Map { .. }), "{refused}");
        let said = refused.to_string();
        assert!(said.contains(name) && said.contains(reason), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert!(!at("routing").exists() || kept(home.folder()).is_empty());
}

/// This test again as a separate process, which starts routers in `home` and leaves them running.
fn second_process(home: &Path, settings: &[(&str, &Path)]) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "holds_routers_until_it_is_killed"])
        .env(SHARED_HOME, home)
        .envs(settings.iter().copied())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Runs as a separate process: other tests start and kill it.
#[tokio::test]
#[ignore = "started by a test as a separate process"]
async fn holds_routers_until_it_is_killed() {
    let folder = PathBuf::from(std::env::var(SHARED_HOME).unwrap());
    let home = Home::at(&folder).unwrap().with_packages(packages());
    let osrm = start(&home, &helsinki()).await.unwrap();
    let pids: Vec<String> = osrm
        .routers
        .iter()
        .filter_map(Router::pid)
        .map(|it| it.to_string())
        .collect();
    fs::write(folder.join("new"), pids.join(" ")).unwrap();
    fs::rename(folder.join("new"), folder.join("pids")).unwrap();
    tokio::time::sleep(Duration::from_mins(1)).await;
}

#[tokio::test]
async fn two_processes_prepare_one_folder_and_a_killed_one_leaves_no_router_behind() {
    let home = Home::temporary(&packages()).unwrap();
    let map = helsinki();
    let mut other = second_process(home.folder(), &[]);
    let mut ours = start(&home, &map).await.unwrap();
    let pids = home.folder().join("pids");
    let text = eventually(|| fs::read_to_string(&pids).ok()).await;
    assert_eq!(kept(home.folder()).len(), 3);
    for router in &ours.routers {
        assert!(works(router));
    }
    let theirs: Vec<u32> = text.split(' ').map(|pid| pid.parse().unwrap()).collect();
    assert!(theirs.len() == 3 && theirs.iter().all(|pid| runs(*pid)));
    other.kill().unwrap();
    other.wait().unwrap();
    eventually(|| (!theirs.iter().any(|pid| runs(*pid))).then_some(())).await;
    ours.stop().await;
}

#[tokio::test]
async fn an_installed_osrm_is_used_and_a_folder_without_one_is_refused() {
    let home = Home::temporary(&packages()).unwrap();
    // Fetches the package.
    let map = home.folder().join("small.osm");
    fs::write(&map, SMALL).unwrap();
    start(&home, &map).await.unwrap().stop().await;
    let mut refused = second_process(home.folder(), &[("TIFFIN_OSRM_BIN", home.folder())]);
    assert!(!refused.wait().unwrap().success());

    let folder = tempfile::Builder::new()
        .permissions(PermissionsExt::from_mode(0o755))
        .tempdir_in(packages())
        .unwrap();
    let (package, bin) = (
        packages().join("osrm-26.10.0/osrm"),
        folder.path().join("bin"),
    );
    fs::create_dir(&bin).unwrap();
    for name in ["osrm-extract", "osrm-contract", "osrm-routed"] {
        fs::hard_link(package.join("bin").join(name), bin.join(name)).unwrap();
    }
    fs::create_dir(folder.path().join("share")).unwrap();
    let profiles = folder.path().join("share/osrm");
    symlink(package.join("share"), profiles).unwrap();
    let mut other = second_process(home.folder(), &[("TIFFIN_OSRM_BIN", &bin)]);
    let pids = home.folder().join("pids");
    let text = eventually(|| fs::read_to_string(&pids).ok()).await;
    for pid in text.split(' ') {
        let program = fs::read_link(format!("/proc/{pid}/exe")).unwrap();
        assert_eq!(program, bin.canonicalize().unwrap().join("osrm-routed"));
    }
    other.kill().unwrap();
    other.wait().unwrap();
    eventually(|| (!text.split(' ').any(|pid| runs(pid.parse().unwrap()))).then_some(())).await;
}

async fn eventually<T>(mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(found) = look() {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never came to be");
}
