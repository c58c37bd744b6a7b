//! The sessions that `sign-in` stores, one for each platform, in a file that only its owner can read.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{ErrorKind, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tiffin_chassis::Env;

/// A session. Each use of the refresh token replaces it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Session {
    pub email: String,
    pub token: String,
    pub refresh: String,
}

type ByUrl = BTreeMap<String, Session>;

pub struct Sessions {
    folder: PathBuf,
    /// The command that signs in.
    pub command: &'static str,
}

impl Sessions {
    /// `$XDG_CONFIG_HOME/tiffin`, or `~/.config/tiffin`.
    pub fn of_user(env: &Env) -> Self {
        let configured = env
            .get("XDG_CONFIG_HOME")
            .filter(|path| Path::new(path).is_absolute());
        let configuration = configured.map_or_else(
            || Path::new(env.get("HOME").unwrap_or(".")).join(".config"),
            PathBuf::from,
        );
        Self::within(configuration.join("tiffin"), "tiffin events sign-in")
    }

    /// Those that a command keeps in a folder.
    pub const fn within(folder: PathBuf, command: &'static str) -> Self {
        Self { folder, command }
    }

    fn file(&self) -> PathBuf {
        self.folder.join("sessions.json")
    }

    /// The session at a platform.
    pub fn find(&self, url: &str) -> Result<Option<Session>> {
        Ok(self.read()?.remove(url))
    }

    fn read(&self) -> Result<ByUrl> {
        let file = self.file();
        match fs::read(&file) {
            Ok(text) => serde_json::from_slice(&text).with_context(|| {
                format!(
                    "{} can't be read; remove it and sign in again",
                    file.display()
                )
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(ByUrl::new()),
            Err(error) => Err(error).with_context(|| file.display().to_string()),
        }
    }

    /// Waits until no other command changes the sessions: a refresh token that is used twice ends its session.
    pub fn lock(&self) -> Result<SessionsLock<'_>> {
        let mut folder = fs::DirBuilder::new();
        folder.recursive(true).mode(0o700);
        folder
            .create(&self.folder)
            .with_context(|| self.folder.display().to_string())?;
        let path = self.folder.join("sessions.lock");
        let lock = private()
            .open(&path)
            .with_context(|| path.display().to_string())?;
        lock.lock()?;
        Ok(SessionsLock {
            sessions: self,
            _lock: lock,
        })
    }
}

/// The lock that allows changes of the sessions, until it is dropped.
pub struct SessionsLock<'a> {
    sessions: &'a Sessions,
    _lock: File,
}

impl SessionsLock<'_> {
    pub fn find(&self, url: &str) -> Result<Option<Session>> {
        self.sessions.find(url)
    }

    pub fn save(&self, url: &str, session: Session) -> Result<()> {
        self.change(|by_url| {
            by_url.insert(url.to_owned(), session);
        })
    }

    pub fn remove(&self, url: &str) -> Result<()> {
        self.change(|by_url| {
            by_url.remove(url);
        })
    }

    /// Replaces the file atomically.
    fn change(&self, step: impl FnOnce(&mut ByUrl)) -> Result<()> {
        let mut by_url = self.sessions.read()?;
        step(&mut by_url);
        let file = self.sessions.file();
        let new_file = file.with_extension("json.new");
        let _ = fs::remove_file(&new_file);
        let written = private()
            .open(&new_file)
            .and_then(|mut open| open.write_all(&serde_json::to_vec_pretty(&by_url)?))
            .and_then(|()| fs::rename(&new_file, &file));
        written.with_context(|| file.display().to_string())
    }
}

/// The options of a file that only its owner can read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn sessions_are_kept_by_platform_and_read_by_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let env = Env::from_pairs([("XDG_CONFIG_HOME", folder.path().to_str().unwrap())]);
        let sessions = Sessions::of_user(&env);
        assert!(sessions.find("http://one").unwrap().is_none());
        let session = Session {
            email: "a@example.com".to_owned(),
            token: "t".to_owned(),
            refresh: "r".to_owned(),
        };
        sessions
            .lock()
            .unwrap()
            .save("http://one", session.clone())
            .unwrap();
        sessions
            .lock()
            .unwrap()
            .save("http://two", session)
            .unwrap();
        sessions.lock().unwrap().remove("http://two").unwrap();
        assert_eq!(
            sessions.find("http://one").unwrap().unwrap().email,
            "a@example.com"
        );
        assert!(sessions.find("http://two").unwrap().is_none());
        let mode = fs::metadata(sessions.file()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
