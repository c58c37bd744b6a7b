//! Configuration from the environment (the twelve-factor way), passed in rather than read anywhere.

mod variables;

use std::{collections::HashMap, str::FromStr};

pub use self::variables::{Group, VARIABLES, Variable};

/// A snapshot of environment variables. `tiffin up` makes one a service; `tiffin serve` takes the
/// process's.
#[derive(Clone, Debug, Default)]
pub struct Env(HashMap<String, String>);

/// A setting that is missing or can't be read; says which and how it should look.
#[derive(Debug, thiserror::Error)]
pub enum EnvError {
    #[error("{0} is not set")]
    Missing(&'static str),
    #[error("{name} can't be read: {reason}")]
    Invalid { name: &'static str, reason: String },
    #[error("{0} and {0}_FILE are both set")]
    Twice(&'static str),
}

impl Env {
    /// The variables of the process. One of the table may lie in a file that `<NAME>_FILE` names, as
    /// containers get their secrets.
    pub fn from_process() -> Result<Self, EnvError> {
        Self(std::env::vars().collect()).with_files()
    }

    /// Reads the files that variables name. The line break at a file's end is no part of its value.
    fn with_files(mut self) -> Result<Self, EnvError> {
        let names = || VARIABLES.iter().flat_map(|variable| variable.names.iter());
        for &name in names() {
            let in_file = format!("{name}_FILE");
            // The master key's file is read by those who need the key.
            if names().any(|own| *own == in_file) {
                continue;
            }
            let Some(file) = self.0.get(&in_file).filter(|file| !file.is_empty()) else {
                continue;
            };
            if self.get(name).is_some() {
                return Err(EnvError::Twice(name));
            }
            let value = std::fs::read_to_string(file).map_err(|error| EnvError::Invalid {
                name,
                reason: format!("{file}: {error}"),
            })?;
            self = self.with(name, value.trim_end_matches(['\r', '\n']));
        }
        Ok(self)
    }

    pub fn from_pairs<K: Into<String>, V: Into<String>>(
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        Self(
            pairs
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }
    /// A setting, unless it is absent or empty.
    pub fn get(&self, name: &'static str) -> Option<&str> {
        self.0
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }
    pub fn required(&self, name: &'static str) -> Result<&str, EnvError> {
        self.get(name).ok_or(EnvError::Missing(name))
    }
    pub fn parse<T: FromStr<Err: std::fmt::Display>>(
        &self,
        name: &'static str,
    ) -> Result<Option<T>, EnvError> {
        self.get(name)
            .map(|value| {
                value.parse().map_err(|reason: T::Err| EnvError::Invalid {
                    name,
                    reason: reason.to_string(),
                })
            })
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_may_lie_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("database");
        std::fs::write(&file, "postgres://tiffin@db/tiffin_order\n").unwrap();
        let file = file.to_str().unwrap();

        let env = Env::from_pairs([("DATABASE_URL_FILE", file)]);
        let read = env.clone().with_files().unwrap();
        assert_eq!(
            read.get("DATABASE_URL"),
            Some("postgres://tiffin@db/tiffin_order")
        );

        let twice = env.with("DATABASE_URL", "postgres://other").with_files();
        let text = "DATABASE_URL and DATABASE_URL_FILE are both set";
        assert_eq!(twice.unwrap_err().to_string(), text);
        let missing = Env::from_pairs([("SMTP_URL_FILE", "/nowhere/smtp")]).with_files();
        let text = missing.unwrap_err().to_string();
        assert!(
            text.starts_with("SMTP_URL can't be read: /nowhere/smtp: "),
            "{text}"
        );
    }

    #[test]
    fn the_master_keys_file_stays_a_file() {
        let env = Env::from_pairs([("TIFFIN_MASTER_KEY_FILE", "/nowhere/key")]);
        let read = env.with_files().unwrap();
        assert_eq!(read.get("TIFFIN_MASTER_KEY"), None);
    }
}
