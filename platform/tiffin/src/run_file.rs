//! `run.json`: the addresses and processes of a running platform, for scripts and tests. It holds passwords, so
//! only its owner can read it.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunFile {
    /// The address for browsers.
    pub url: String,
    /// The address of `/metrics`, for this machine alone.
    pub internal: String,
    pub pid: u32,
    #[serde(with = "time::serde::rfc3339")]
    pub started_at: OffsetDateTime,
    pub home: PathBuf,
    /// Mails as files, unless they go by SMTP.
    pub mail: PathBuf,
    /// Base URL by service.
    pub services: BTreeMap<String, String>,
    /// Address by service, password included.
    pub databases: BTreeMap<String, String>,
    pub nats: ServerEntry,
    pub postgres: ServerEntry,
    /// By vehicle; empty until they run, and where they are not ours.
    #[serde(default)]
    pub routers: BTreeMap<String, ServerEntry>,
}

/// A server that the platform uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerEntry {
    /// Absent where it is not ours.
    pub pid: Option<u32>,
    /// Password included.
    pub url: String,
}

impl RunFile {
    fn file(home: &Path) -> PathBuf {
        home.join("run.json")
    }

    /// Reads the record of the platform that runs in `home`.
    pub fn read(home: &Path) -> Result<Self> {
        let file = Self::file(home);
        let text = fs::read(&file)
            .with_context(|| format!("{}: is `tiffin up` running?", file.display()))?;
        Ok(serde_json::from_slice(&text)?)
    }

    /// Replaces the file atomically.
    pub fn write(&self) -> Result<()> {
        let file = Self::file(&self.home);
        let fresh = file.with_extension("json.new");
        let _ = fs::remove_file(&fresh);
        let mut open = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&fresh)?;
        open.write_all(&serde_json::to_vec_pretty(self)?)?;
        fs::rename(&fresh, &file)?;
        Ok(())
    }

    pub fn remove(home: &Path) {
        let _ = fs::remove_file(Self::file(home));
    }
}
