//! The roads of a map, prepared once for each vehicle and kept.

use std::{
    fs::{self, File},
    io::Read,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use aws_lc_rs::digest::{Context, SHA256};
use rustix::process::Signal;
use tempfile::TempDir;

use super::{
    Vehicle,
    tools::{SCOOTER, Tools},
};
use crate::{
    At, Home, Report, ServersError,
    process::{self, Process},
    unprivileged,
};

/// The prefix of folders that a crash may leave behind.
const UNFINISHED: &str = ".preparing-";
/// The kinds of files that OSRM reads.
const KINDS: [&str; 2] = [".osm.pbf", ".osm"];

/// A file with roads.
pub(super) struct Map {
    path: PathBuf,
    kind: &'static str,
}

impl Map {
    /// The file, if it is there and has a name that OSRM takes.
    pub fn find(path: &Path) -> Result<Self, ServersError> {
        let name = path.to_string_lossy();
        let kind = KINDS.into_iter().find(|kind| name.ends_with(kind));
        let refused = |reason: &str| ServersError::Map {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        let kind = kind.ok_or_else(|| refused("its name ends with neither .osm.pbf nor .osm"))?;
        if !path.is_file() {
            return Err(refused("there is no such file"));
        }
        Ok(Self {
            path: path.canonicalize().at(path)?,
            kind,
        })
    }

    /// The names of the folders of its prepared roads, one for each vehicle: they differ by map, vehicle,
    /// profile and version.
    async fn keys(&self, tools: &Tools) -> Result<Vec<String>, ServersError> {
        let path = self.path.clone();
        let read = tokio::task::spawn_blocking(move || hash_file(&path)).await;
        let mut context = read.at(&self.path)??;
        context.update(tools.version.as_bytes());
        let key = |vehicle: Vehicle| {
            let mut context = context.clone();
            let profile = tools.profile(vehicle);
            context.update(&fs::read(&profile).at(profile)?);
            if vehicle == Vehicle::Scooter {
                context.update(SCOOTER.as_bytes());
            }
            let digest = context.finish();
            let begin = digest.as_ref().first_chunk().copied().unwrap_or_default();
            Ok(format!(
                "{}-{:032x}",
                vehicle.name(),
                u128::from_be_bytes(begin)
            ))
        };
        Vehicle::ALL.into_iter().map(key).collect()
    }
}

fn hash_file(path: &Path) -> Result<Context, ServersError> {
    let mut context = Context::new(&SHA256);
    let mut file = File::open(path).at(path)?;
    let mut part = vec![0; 1 << 20];
    loop {
        match file.read(&mut part).at(path)? {
            0 => return Ok(context),
            read => context.update(part.get(..read).unwrap_or_default()),
        }
    }
}

/// The prepared roads of each vehicle, as osrm-routed takes them, in `folder`; made unless they are there.
/// Those of other maps go. Another process that prepares in the same folder is waited for.
pub(super) async fn all(
    home: &Home,
    tools: &Tools,
    map: &Map,
    folder: &Path,
    report: Report<'_>,
) -> Result<Vec<PathBuf>, ServersError> {
    let _lock = lock(folder).await?;
    let keys = map.keys(tools).await?;
    if keys.iter().any(|key| !folder.join(key).is_dir()) {
        report("preparing the roads of the map for bike, scooter and car");
        let started = Instant::now();
        remove_others(folder, &[])?;
        for (vehicle, key) in Vehicle::ALL.into_iter().zip(&keys) {
            one(home, tools, map, vehicle, &folder.join(key)).await?;
        }
        report(&format!(
            "prepared the roads in {:.1} s",
            started.elapsed().as_secs_f32()
        ));
    }
    remove_others(folder, &keys)?;
    Ok(keys
        .iter()
        .map(|key| folder.join(key).join("map.osrm"))
        .collect())
}

/// Held while roads are prepared; free again once its process is gone.
async fn lock(folder: &Path) -> Result<File, ServersError> {
    let path = folder.join("lock");
    let file = File::create(&path).at(&path)?;
    let locked = tokio::task::spawn_blocking(move || file.lock().map(|()| file)).await;
    locked.at(&path)?.at(path)
}

/// Removes the folders of unfinished work, and the prepared roads that are not in `keys` if there are some.
fn remove_others(folder: &Path, keys: &[String]) -> Result<(), ServersError> {
    for entry in fs::read_dir(folder).at(folder)? {
        let path = entry.at(folder)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_finished = !name.starts_with(UNFINISHED);
        if path.is_dir()
            && !(is_finished && (keys.is_empty() || keys.iter().any(|key| *key == name)))
        {
            fs::remove_dir_all(&path).at(&path)?;
        }
    }
    Ok(())
}

/// Prepares the roads of a vehicle in another folder first, so that unfinished ones are never taken for whole.
async fn one(
    home: &Home,
    tools: &Tools,
    map: &Map,
    vehicle: Vehicle,
    prepared: &Path,
) -> Result<(), ServersError> {
    if prepared.is_dir() {
        return Ok(());
    }
    let parent = prepared.parent().unwrap_or(prepared);
    let fresh = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempdir_in(parent)
        .at(parent)?;
    // OSRM writes beside what it reads.
    let input = fresh.path().join(format!("map{}", map.kind));
    symlink(&map.path, &input).at(&input)?;
    let profile = match vehicle {
        Vehicle::Scooter => {
            let file = fresh.path().join("scooter.lua");
            fs::write(&file, SCOOTER).at(&file)?;
            file
        }
        Vehicle::Bike | Vehicle::Car => tools.profile(vehicle),
    };
    let mut extract = tools.program("osrm-extract");
    extract
        .arg("--profile")
        .arg(profile)
        .arg(&input)
        // The scooter's profile includes the car's.
        .env("LUA_PATH", tools.profiles.join("?.lua"));
    step(home, map, extract, &fresh).await?;
    let mut contract = tools.program("osrm-contract");
    contract.arg(fresh.path().join("map.osrm"));
    step(home, map, contract, &fresh).await?;
    fs::remove_file(&input).at(&input)?;
    for entry in fs::read_dir(fresh.path()).at(fresh.path())? {
        let path = entry.at(fresh.path())?.path();
        unprivileged::chown(&path)?;
        // On the disk before the folder has its name.
        File::open(&path)
            .and_then(|file| file.sync_all())
            .at(path)?;
    }
    unprivileged::chown(fresh.path())?;
    fs::rename(fresh.path(), prepared).at(prepared)
}

/// Runs a program to its end. Its output counts if it fails, and only then.
async fn step(
    home: &Home,
    map: &Map,
    mut command: Command,
    fresh: &TempDir,
) -> Result<(), ServersError> {
    let log = fresh.path().join("log");
    let name = command.get_program().to_owned();
    command.args(["--verbosity", "WARNING"]);
    let mut process = Process::spawn(&mut command, Signal::TERM, &log, home.to_remove())?;
    let status = loop {
        if let Some(status) = process.ended() {
            break status;
        }
        tokio::time::sleep(process::POLL_INTERVAL).await;
    };
    if status.success() {
        return Ok(());
    }
    let program = Path::new(&name).file_name().unwrap_or_default();
    let said = process::last_lines(&log);
    Err(ServersError::Map {
        path: map.path.clone(),
        reason: format!(
            "{} ended with {status}: {}",
            program.to_string_lossy(),
            reason_in(&said)
        ),
    })
}

/// The part of a program's last lines that says why it failed.
fn reason_in(said: &str) -> &str {
    ["what():", "[error]"]
        .iter()
        .find_map(|mark| said.split_once(mark))
        .map_or(said, |(_, why)| why)
        .trim()
}

#[cfg(test)]
mod tests {
    use super::reason_in;

    #[test]
    fn a_reason_is_found_behind_its_mark() {
        for (said, why) in [
            (
                "terminate called | what():  PBF error: unexpected EOF",
                "PBF error: unexpected EOF",
            ),
            ("[2026] [error] no edges remain", "no edges remain"),
            ("Killed", "Killed"),
        ] {
            assert_eq!(reason_in(said), why);
        }
    }
}
