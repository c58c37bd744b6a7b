//! Measurements on recorded tracks: the driver's marker, and forecasts of arrivals.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};

use crate::{bench, platform::target_folder, step, web};

/// Debian's source package whose test data are recordings of bicycles, under the GPL 2 or later.
const PACKAGE: &str = "goldencheetah";
const RELEASE: &str = "bookworm";
const ARCHIVE: &str = "goldencheetah_3.5.orig.tar.gz";
const SHA256: &str = "d5a12a71b9bd49ec8224aca51807155cddc8863b69abc1c48e54084014115020";
/// The folder of the recordings in it.
const RIDES: &str = "GoldenCheetah-3.5/test/rides";
/// The recordings with a place each second or two.
const RECORDINGS: [&str; 8] = [
    "1292585194-20906.gpx",
    "2009_08_30_21_17_25.tcx",
    "2010-04-05-21-45-04.tcx",
    "2015-09-27-0755_Road_Cycling_WF.tcx",
    "IpBike_902.pwx",
    "Move_2014_01_16_19_48_44.gpx",
    "New_Athlete_2015_01_01_10_01.pwx",
    "UrbanBiker2019-04-18_16-12.gpx",
];

/// Errors of forecasts on trips of the tracks; fails beyond their bounds.
pub fn eta() -> Result<()> {
    web::ensure_packages()?;
    let tracks = ensure_tracks()?;
    let trips = tempfile::NamedTempFile::new()?;
    let mut command = step::npm();
    command
        .args(["run", "--silent", "bench:trips"])
        .env("TIFFIN_TRACKS", tracks)
        .env("TIFFIN_TRIPS", trips.path());
    step::run("trips of the tracks", &mut command)?;
    bench::run("eta", &["--trips", &trips.path().to_string_lossy()])
}

/// Errors of the marker with a fix every 5 and 15 seconds; fails beyond its bounds.
pub fn marker() -> Result<()> {
    web::ensure_packages()?;
    let tracks = ensure_tracks()?;
    let mut command = step::npm();
    command
        .args(["run", "--silent", "bench:marker"])
        .env("TIFFIN_TRACKS", tracks);
    step::run("bench marker", &mut command).map(drop)
}

/// Downloads the recordings, unless they are there already; returns their folder.
fn ensure_tracks() -> Result<PathBuf> {
    let folder = std::path::absolute(target_folder()?.join("tracks"))?;
    let rides = folder.join(RIDES);
    if RECORDINGS.iter().all(|name| rides.join(name).exists()) {
        return Ok(rides);
    }
    fs::create_dir_all(&folder)?;
    download(&folder)?;
    let sum = folder.join("SHA256SUMS");
    fs::write(&sum, format!("{SHA256}  {ARCHIVE}\n"))?;
    step::run(
        "tracks: checksum",
        Command::new("sha256sum")
            .current_dir(&folder)
            .args(["--check", "--strict"])
            .arg(&sum),
    )?;
    step::run(
        "tracks: unpack",
        Command::new("tar")
            .current_dir(&folder)
            .args(["--extract", "--file", ARCHIVE])
            .args(RECORDINGS.map(|name| format!("{RIDES}/{name}"))),
    )?;
    fs::remove_file(folder.join(ARCHIVE))?;
    Ok(rides)
}

/// Downloads the source archive with apt, from this machine's mirror, into `folder`; apt's own state stays as it is.
fn download(folder: &Path) -> Result<()> {
    for lists in ["apt/lists/partial", "apt/cache/archives/partial"] {
        fs::create_dir_all(folder.join(lists))?;
    }
    let sources = folder.join("apt/sources.list");
    fs::write(&sources, format!("deb-src {} {RELEASE} main\n", mirror()?))?;
    let apt = || {
        let mut command = Command::new("apt-get");
        command.current_dir(folder).arg("--quiet=2");
        let places = [
            ("Dir::Etc::sourcelist", sources.clone()),
            ("Dir::Etc::sourceparts", PathBuf::from("/dev/null")),
            ("Dir::State::lists", folder.join("apt/lists")),
            ("Dir::Cache", folder.join("apt/cache")),
        ];
        for (option, place) in places {
            command.args(["-o", &format!("{option}={}", place.display())]);
        }
        command
    };
    step::run("tracks: apt-get update", apt().arg("update"))?;
    step::run(
        "tracks: apt-get source",
        apt().args(["source", "--download-only", "--tar-only", PACKAGE]),
    )?;
    ensure!(folder.join(ARCHIVE).exists(), "apt has no {ARCHIVE}");
    Ok(())
}

/// Debian's mirror that this machine is set up with.
fn mirror() -> Result<String> {
    let output = Command::new("apt-get")
        .args(["indextargets", "--format", "$(REPO_URI)"])
        .arg("Created-By: Packages")
        .output()
        .context("apt-get could not be started: the tracks are in a Debian package")?;
    let listed = String::from_utf8(output.stdout)?;
    let mirror = listed.lines().find(|uri| !uri.contains("security"));
    Ok(mirror.context("apt knows no mirror of Debian")?.to_owned())
}
