//! Routers on the demo's roads.

use std::{
    f64::consts::PI,
    fmt::Write,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::Value;
use tiffin_servers::{Home, Osrm, RouterPorts};

use crate::{kill, platform::Up};

const DEMO: [&str; 2] = [
    include_str!("../../demo/restaurants.json"),
    include_str!("../../demo/accounts.json"),
];
/// Metres between a place and the road that leads to it.
const OFF_ROAD: f64 = 300.0;

/// The process and address of each router, once all run.
async fn routers(up: &Up) -> Vec<(u64, String)> {
    let began = Instant::now();
    loop {
        let routers = up.running()["routers"].clone();
        if let Some(routers) = routers.as_object().filter(|routers| routers.len() == 3) {
            let each = routers.values();
            return each
                .map(|router| {
                    let url = router["url"].as_str().unwrap().to_owned();
                    (router["pid"].as_u64().unwrap(), url)
                })
                .collect();
        }
        assert!(began.elapsed() < Duration::from_mins(2), "{}", up.log());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// A killed router runs again at the same address, and the platform all the time.
pub async fn a_router_that_dies_is_started_again(up: &Up) {
    let before = routers(up).await;
    let (killed, url) = before.first().unwrap();
    kill(*killed);
    let began = Instant::now();
    let after = loop {
        let after = routers(up).await;
        if after.iter().all(|(pid, _)| pid != killed) {
            break after;
        }
        assert!(began.elapsed() < Duration::from_mins(1), "{}", up.log());
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let (others, urls): (Vec<_>, Vec<_>) = after.into_iter().unzip();
    assert!(urls.contains(url));
    assert_eq!(others[1..], [before[1].0, before[2].0]);
    let nearest = format!("{url}/nearest/v1/any/79.8541,6.9008");
    let answer = up.client.get(nearest).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["code"], "Ok");
    assert!(up.is_ready().await);
}

/// A platform whose map is none says so and goes on.
pub async fn a_map_that_is_none_is_named(up: &mut Up) {
    let began = Instant::now();
    while !up
        .log()
        .contains("times and routes are estimates: the map ")
    {
        assert!(began.elapsed() < Duration::from_mins(1), "{}", up.log());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(up.running()["routers"], serde_json::json!({}));
    // Ready is what answers in time: on a busy machine not at each moment.
    while !up.is_ready().await {
        assert!(began.elapsed() < Duration::from_mins(2), "{}", up.log());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(up.process.try_wait().unwrap().is_none());
}

/// The latitude and longitude of each thing in the demo that has them.
fn places(demo: &Value, found: &mut Vec<(f64, f64)>) {
    match demo {
        Value::Object(fields) => {
            if let (Some(lat), Some(lng)) = (demo["lat"].as_f64(), demo["lng"].as_f64()) {
                found.push((lat, lng));
            }
            fields.values().for_each(|field| places(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| places(item, found)),
        _ => {}
    }
}

/// Metres as the crow flies, for places in one city.
fn straight(from: (f64, f64), to: (f64, f64)) -> f64 {
    let degree = 40_075_016.0 / 360.0;
    let east = (to.1 - from.1) * degree * (from.0 * PI / 180.0).cos();
    ((to.0 - from.0) * degree).hypot(east)
}

#[tokio::test]
async fn every_place_of_the_demo_is_reached_from_every_other_by_each_vehicle() {
    let mut found = Vec::new();
    for text in DEMO {
        places(&serde_json::from_str(text).unwrap(), &mut found);
    }
    assert!(found.len() >= 15, "{}", found.len());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let home = Home::temporary(&folder.join("../../.tiffin/servers")).unwrap();
    let map = folder.join("demo/colombo.osm");
    let ports = RouterPorts::free().unwrap();
    let mut osrm = Osrm::start(&home, &map, ports, &|_| {}).await.unwrap();
    let mut path = String::new();
    for (lat, lng) in &found {
        let _ = write!(path, "{lng},{lat};");
    }
    let path = path.trim_end_matches(';');
    let mut longest = 0.0;
    for router in &osrm.routers {
        let url = format!(
            "{}/table/v1/any/{path}?annotations=distance,duration",
            router.url()
        );
        let answer = reqwest::get(url).await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        assert_eq!(answer["code"], "Ok", "{answer}");
        for (i, from) in found.iter().enumerate() {
            let off = answer["sources"][i]["distance"].as_f64().unwrap();
            assert!(off < OFF_ROAD, "{from:?} is {off} m off a road");
            for (j, to) in found.iter().enumerate().filter(|(j, _)| *j != i) {
                let metres = answer["distances"][i][j].as_f64().unwrap();
                let straight = straight(*from, *to);
                let vehicle = router.vehicle.name();
                let route = format!("{metres} m for {straight} m, {from:?} to {to:?}, {vehicle}");
                assert!(
                    metres > 0.0 && answer["durations"][i][j].as_f64() > Some(0.0),
                    "{route}"
                );
                assert!(metres < 3.0 * straight, "{route}");
                longest = f64::max(longest, metres / straight);
            }
        }
    }
    assert!(longest > 1.0);
    osrm.stop().await;
}
