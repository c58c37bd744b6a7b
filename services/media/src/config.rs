use std::path::Path;

use tiffin_chassis::{BehindProxy, Env, env::EnvError};
use url::Url;

use crate::storage::Storage;

/// Settings of an S3 store, as its own tools call them.
const S3: [&str; 7] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_ENDPOINT",
    "AWS_ALLOW_HTTP",
    "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
];

/// The service's configuration from the environment.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The public key that the web app sends before sign-in. Without it, only accounts upload.
    pub anonymous_key: Option<String>,
    pub behind_proxy: BehindProxy,
}

impl Config {
    /// `TIFFIN_ANON_KEY`, `TIFFIN_BEHIND_PROXY` (`true` or `false`).
    pub fn read(env: &Env) -> Result<Self, EnvError> {
        Ok(Self {
            anonymous_key: env.get("TIFFIN_ANON_KEY").map(str::to_owned),
            behind_proxy: BehindProxy::read(env)?,
        })
    }
}

/// The store of pictures: `TIFFIN_MEDIA_URL` (`s3://bucket/folder`, with the usual `AWS_…` settings), else
/// the folder `TIFFIN_MEDIA_DIR`, else `$TIFFIN_HOME/media`.
pub(crate) fn storage(env: &Env) -> Result<Storage, EnvError> {
    if let Some(url) = env.parse::<Url>("TIFFIN_MEDIA_URL")? {
        let settings = S3
            .into_iter()
            .filter_map(|name| Some((name.to_ascii_lowercase(), env.get(name)?.to_owned())));
        return Storage::remote(&url, settings)
            .map_err(|error| invalid("TIFFIN_MEDIA_URL", &error));
    }
    let folder = env.get("TIFFIN_MEDIA_DIR").map_or_else(
        || Path::new(env.get("TIFFIN_HOME").unwrap_or(".tiffin")).join("media"),
        |folder| Path::new(folder).to_owned(),
    );
    Ok(Storage::folder(folder))
}

fn invalid(name: &'static str, reason: &object_store::Error) -> EnvError {
    EnvError::Invalid {
        name,
        reason: reason.to_string(),
    }
}
