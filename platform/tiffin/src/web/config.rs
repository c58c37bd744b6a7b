use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tiffin_chassis::{Env, Region};
use tiffin_events::services::NAMES;
use url::Url;

/// The script with which Stripe shows its own fields for a card.
const STRIPE_SCRIPT: &str = "https://js.stripe.com/v3/";

/// The configuration that the web app gets at its start.
#[derive(Clone, Debug)]
pub struct WebConfig {
    /// Base URL by service; empty is the web app's own origin.
    services: BTreeMap<&'static str, String>,
    tile_url: Option<String>,
    attribution: Option<String>,
    geocoder: bool,
    google_client_id: Option<String>,
    anon_key: Option<String>,
    region: Region,
    stripe: Option<StripeConfig>,
}

/// Stripe as a browser needs it, where it is the payment provider.
#[derive(Clone, Debug)]
pub struct StripeConfig {
    publishable_key: String,
    pub script: Url,
}

impl StripeConfig {
    /// `TIFFIN_STRIPE_PUBLISHABLE_KEY` and `TIFFIN_STRIPE_SCRIPT`; `None` unless `TIFFIN_PAYMENT_PROVIDER` is `stripe`.
    fn read(env: &Env) -> Result<Option<Self>> {
        if env.get("TIFFIN_PAYMENT_PROVIDER") != Some("stripe") {
            return Ok(None);
        }
        let script = env.get("TIFFIN_STRIPE_SCRIPT").unwrap_or(STRIPE_SCRIPT);
        Ok(Some(Self {
            publishable_key: env.required("TIFFIN_STRIPE_PUBLISHABLE_KEY")?.to_owned(),
            script: script.parse().context("TIFFIN_STRIPE_SCRIPT is no URL")?,
        }))
    }

    /// True if the script is Stripe's own, and not one of a test.
    pub fn is_stripes_own(&self) -> bool {
        self.script.host_str() == Some("js.stripe.com")
    }
}

impl WebConfig {
    /// `TIFFIN_PUBLIC_URLS` (`user=https://…,order=https://…`), `TIFFIN_TILE_URL`,
    /// `TIFFIN_TILE_ATTRIBUTION`, `TIFFIN_GEOCODER_URL`, `TIFFIN_GOOGLE_CLIENT_ID`,
    /// `TIFFIN_ANON_KEY`, Stripe's where it is the payment provider, and those of [`Region::read`].
    pub fn read(env: &Env) -> Result<Self> {
        let mut services: BTreeMap<_, _> = NAMES
            .into_iter()
            .map(|name| (name, String::new()))
            .collect();
        let set = env.get("TIFFIN_PUBLIC_URLS").unwrap_or_default();
        for pair in set
            .split(',')
            .map(str::trim)
            .filter(|pair| !pair.is_empty())
        {
            let known = pair
                .split_once('=')
                .and_then(|(name, url)| Some((services.get_mut(name)?, url)));
            let Some((service, url)) = known else {
                bail!("TIFFIN_PUBLIC_URLS can't be read: {pair:?} is no service=URL");
            };
            url.trim_end_matches('/').clone_into(service);
        }
        let text = |name| env.get(name).map(str::to_owned);
        Ok(Self {
            services,
            tile_url: text("TIFFIN_TILE_URL"),
            attribution: text("TIFFIN_TILE_ATTRIBUTION"),
            geocoder: env.get("TIFFIN_GEOCODER_URL").is_some(),
            google_client_id: text("TIFFIN_GOOGLE_CLIENT_ID"),
            anon_key: text("TIFFIN_ANON_KEY"),
            stripe: StripeConfig::read(env)?,
            region: Region::read(env)?,
        })
    }

    /// The answer of `/config.json`.
    pub fn answer(&self) -> Value {
        let Region {
            currency,
            time_zone,
            locale,
        } = &self.region;
        json!({
            "services": self.services,
            "map": { "tileUrl": self.tile_url, "attribution": self.attribution },
            "geocoder": self.geocoder,
            "googleClientId": self.google_client_id,
            "anonKey": self.anon_key,
            "stripe": self.stripe.as_ref().map(|stripe| json!({
                "publishableKey": stripe.publishable_key,
                "script": stripe.script.as_str(),
            })),
            "currency": { "code": currency.code(), "decimals": currency.decimals(), "sign": currency.sign() },
            "timeZone": time_zone.name(),
            "locale": locale.to_string(),
        })
    }

    /// Base URLs other than the own origin.
    pub fn service_urls(&self) -> impl Iterator<Item = &str> {
        self.services
            .values()
            .map(String::as_str)
            .filter(|url| !url.is_empty())
    }

    pub fn tile_url(&self) -> Option<&str> {
        self.tile_url.as_deref()
    }

    pub fn stripe(&self) -> Option<&StripeConfig> {
        self.stripe.as_ref()
    }

    pub fn signs_in_with_google(&self) -> bool {
        self.google_client_id.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browser_gets_stripes_publishable_key_and_no_other() {
        let sandbox = Env::from_pairs([("TIFFIN_STRIPE_PUBLISHABLE_KEY", "pk_live_1")]);
        let answer = WebConfig::read(&sandbox).unwrap().answer();
        assert_eq!(answer["stripe"], Value::Null);
        let stripe = sandbox
            .with("TIFFIN_PAYMENT_PROVIDER", "stripe")
            .with("TIFFIN_STRIPE_SECRET_KEY", "sk_live_1");
        let answer = WebConfig::read(&stripe).unwrap().answer();
        assert_eq!(
            answer["stripe"],
            json!({ "publishableKey": "pk_live_1", "script": "https://js.stripe.com/v3/" })
        );
        assert!(!answer.to_string().contains("sk_live"), "{answer}");
        let none = stripe.with("TIFFIN_STRIPE_PUBLISHABLE_KEY", "");
        assert!(WebConfig::read(&none).is_err());
    }

    #[test]
    fn services_are_on_the_same_origin_by_default() {
        let env = Env::from_pairs([(
            "TIFFIN_PUBLIC_URLS",
            "user=https://user.example/, live=https://live.example",
        )]);
        let answer = WebConfig::read(&env).unwrap().answer();
        assert_eq!(answer["services"]["user"], "https://user.example");
        assert_eq!(answer["services"]["order"], "");
        assert_eq!(answer["googleClientId"], Value::Null);
        assert_eq!(answer["anonKey"], Value::Null);
        let keyed = Env::from_pairs([("TIFFIN_ANON_KEY", "anybody")]);
        let answer = WebConfig::read(&keyed).unwrap().answer();
        assert_eq!(answer["anonKey"], "anybody");
        assert_eq!(
            answer["currency"],
            json!({ "code": "LKR", "decimals": 2, "sign": "Rs." })
        );
        let wrong = Env::from_pairs([("TIFFIN_PUBLIC_URLS", "usr=https://user.example")]);
        assert!(WebConfig::read(&wrong).is_err());
    }

    #[test]
    fn the_country_is_in_the_configuration() {
        let env = Env::from_pairs([
            ("TIFFIN_CURRENCY", "KWD"),
            ("TIFFIN_TIME_ZONE", "Asia/Kuwait"),
            ("TIFFIN_LOCALE", "en-KW"),
        ]);
        let answer = WebConfig::read(&env).unwrap().answer();
        assert_eq!(
            answer["currency"],
            json!({ "code": "KWD", "decimals": 3, "sign": "KWD" })
        );
        assert_eq!(answer["timeZone"], "Asia/Kuwait");
        assert_eq!(answer["locale"], "en-KW");
    }
}
