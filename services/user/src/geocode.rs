//! The address at a place: the operator's geocoder answers if one is configured; otherwise, or if it has no
//! answer, the built-in map does.

mod built_in_map;

use std::time::Duration;

use reqwest::Client;
use serde::Deserialize;
use sqlx::PgPool;
use tiffin_chassis::{Env, Limits, env::EnvError};
use tiffin_events::{Clock, Coordinates};
use url::Url;

use crate::{Error, limits, store::geocodes};

/// The longest wait for the geocoder's answer.
const REPLY_TIMEOUT: Duration = Duration::from_secs(4);
/// The number of times that a request waits for its turn; after that the map answers.
const MAX_WAITS: usize = 3;

/// Finds addresses.
#[derive(Clone, Debug)]
pub(crate) struct Geocoder {
    pool: PgPool,
    clock: Clock,
    limits: Limits,
    nominatim: Option<Nominatim>,
}

/// A geocoder that speaks as Nominatim does.
#[derive(Clone, Debug)]
struct Nominatim {
    http: Client,
    /// Without a slash at its end.
    base: String,
}

#[derive(Deserialize)]
struct Found {
    /// Absent where nothing is known of the place.
    display_name: Option<String>,
}

impl Geocoder {
    /// `TIFFIN_GEOCODER_URL`, the address that `/reverse` is appended to, and `TIFFIN_PUBLIC_URL`, which
    /// the user agent names.
    pub fn new(env: &Env, pool: PgPool, clock: Clock, limits: Limits) -> Result<Self, EnvError> {
        let url: Option<Url> = env.parse("TIFFIN_GEOCODER_URL")?;
        let home = env.get("TIFFIN_PUBLIC_URL").unwrap_or("self-hosted");
        let agent = format!("Tiffin/{} ({home})", env!("CARGO_PKG_VERSION"));
        let nominatim = url.map(|url| Nominatim {
            http: Client::builder()
                .timeout(REPLY_TIMEOUT)
                .user_agent(agent)
                .build()
                .unwrap_or_default(),
            base: url.as_str().trim_end_matches('/').to_owned(),
        });
        Ok(Self {
            pool,
            clock,
            limits,
            nominatim,
        })
    }

    /// The address at a place, if any is known.
    pub async fn address(&self, at: Coordinates) -> Result<Option<String>, Error> {
        if let Some(nominatim) = &self.nominatim {
            if let Some(name) = geocodes::find(&self.pool, at, self.clock.now()).await? {
                return Ok(Some(name));
            }
            if self.turn().await?
                && let Some(name) = nominatim.request(at).await
            {
                geocodes::save(&self.pool, at, &name, self.clock.now()).await?;
                return Ok(Some(name));
            }
        }
        Ok(built_in_map::address(at))
    }

    /// Waits for a turn to ask; false where too many wait.
    async fn turn(&self) -> Result<bool, Error> {
        for _ in 0..MAX_WAITS {
            let wait = self.limits.take("geocoder", limits::GEOCODER).await?;
            let Some(wait) = wait else { return Ok(true) };
            tokio::time::sleep(wait.unsigned_abs()).await;
        }
        Ok(false)
    }
}

impl Nominatim {
    /// The geocoder's answer; `None` if it has none or can't be reached.
    async fn request(&self, at: Coordinates) -> Option<String> {
        let query = [
            ("lat", at.lat.to_string()),
            ("lon", at.lng.to_string()),
            ("format", "json".to_owned()),
        ];
        let request = self.http.get(format!("{}/reverse", self.base));
        let answer = async {
            let response = request.query(&query).send().await?.error_for_status()?;
            response.json::<Found>().await
        };
        match answer.await {
            Ok(found) => found.display_name.filter(|name| !name.contains('\0')),
            Err(error) => {
                // Without the URL, which holds an account's place.
                tracing::warn!(error = %error.without_url(), "the geocoder can't be asked");
                None
            }
        }
    }
}
