//! OSRM's programs and profiles.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use super::Vehicle;
use crate::{At, Report, ServersError, package::OSRM, process, unprivileged};

/// The folders of profiles as seen from that of the programs: of the package, and of an installed OSRM.
const PROFILES: [&str; 2] = ["../share/profiles", "../share/osrm/profiles"];
/// The profile that OSRM lacks.
pub(super) const SCOOTER: &str = include_str!("../../profiles/scooter.lua");

/// The programs of one version.
#[derive(Debug)]
pub(super) struct Tools {
    programs: PathBuf,
    pub profiles: PathBuf,
    /// The prepared roads of one version are of no use to another.
    pub version: String,
}

impl Tools {
    /// Those in `TIFFIN_OSRM_BIN`, or the pinned ones, fetched if need be.
    pub async fn find(packages: &Path, report: Report<'_>) -> Result<Self, ServersError> {
        let set = std::env::var_os(OSRM.variable).filter(|set| !set.is_empty());
        let programs = if let Some(set) = set {
            checked(PathBuf::from(set))?
        } else {
            let packages = unprivileged::reachable(packages);
            let binary = OSRM.binary(&packages, report).await?;
            binary.parent().unwrap_or(&binary).to_owned()
        };
        let profiles = PROFILES
            .iter()
            .map(|below| programs.join(below))
            .find(|folder| folder.join("car.lua").is_file());
        let Some(profiles) = profiles else {
            return Err(unfit(
                programs,
                "it has no profiles in share/osrm beside it",
            ));
        };
        let extract = programs.join("osrm-extract");
        let said = process::program(&extract).arg("--version").output();
        Ok(Self {
            version: String::from_utf8_lossy(&said.at(extract)?.stdout)
                .trim()
                .to_owned(),
            profiles: profiles.canonicalize().at(&profiles)?,
            programs,
        })
    }

    /// A program as our user.
    pub fn program(&self, name: &str) -> Command {
        process::program(self.programs.join(name))
    }

    /// The file of OSRM's profile for a vehicle; the scooter's is based on the car's.
    pub fn profile(&self, vehicle: Vehicle) -> PathBuf {
        self.profiles.join(match vehicle {
            Vehicle::Bike => "bicycle.lua",
            Vehicle::Scooter | Vehicle::Car => "car.lua",
        })
    }
}

fn checked(folder: PathBuf) -> Result<PathBuf, ServersError> {
    let programs = ["osrm-extract", "osrm-contract", "osrm-routed"];
    if programs.iter().any(|name| !folder.join(name).is_file()) {
        return Err(unfit(
            folder,
            "there is no osrm-routed with its osrm-extract and osrm-contract in it",
        ));
    }
    if !unprivileged::reaches(&folder.join("osrm-routed")) {
        return Err(unfit(
            folder,
            "osrm-routed does not run as root, and another user can't reach that folder",
        ));
    }
    folder.canonicalize().at(folder)
}

fn unfit(path: PathBuf, reason: &str) -> ServersError {
    ServersError::NotABinary {
        variable: OSRM.variable,
        path,
        reason: reason.to_owned(),
    }
}
