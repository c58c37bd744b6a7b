//! The archive of old events that the environment names.

use std::{path::Path, time::Duration};

use anyhow::{Context, Result};
use tiffin_archive::Archive;
use tiffin_bus::archiver::Window;
use tiffin_chassis::{Env, env::EnvError, storage::s3_settings};
use url::Url;

/// The archive: a folder, or a bucket by its URL with the usual `AWS_…` settings.
pub const ARCHIVE: &str = "TIFFIN_ARCHIVE";
const AFTER_DAYS: &str = "TIFFIN_ARCHIVE_AFTER_DAYS";
const ABOVE_PERCENT: &str = "TIFFIN_ARCHIVE_ABOVE_PERCENT";

/// The archive of `TIFFIN_ARCHIVE`; `None` without the variable.
pub fn open(env: &Env) -> Result<Option<Archive>> {
    let Some(place) = env.get(ARCHIVE) else {
        return Ok(None);
    };
    let Ok(url) = place.parse::<Url>() else {
        return Ok(Some(Archive::folder(Path::new(place).to_owned())));
    };
    let archive = Archive::remote(&url, s3_settings(env));
    archive
        .with_context(|| format!("{ARCHIVE} can't be used"))
        .map(Some)
}

/// The events that stay out of the archive.
pub fn window(env: &Env) -> Result<Window, EnvError> {
    let default = Window::default();
    let days: Option<u64> = env.parse(AFTER_DAYS)?;
    let percent: Option<u64> = env.parse(ABOVE_PERCENT)?;
    Ok(Window {
        max_age: days.map_or(default.max_age, |days| Duration::from_hours(days * 24)),
        max_percent: percent.unwrap_or(default.max_percent),
        ..default
    })
}
