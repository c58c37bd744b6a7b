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
}

impl Env {
    pub fn from_process() -> Self {
        Self(std::env::vars().collect())
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
