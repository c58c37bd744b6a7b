//! The content policy of the web app's pages.

use std::fmt::Write;

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use sha2::{Digest, Sha256};
use url::Url;

use super::WebConfig;

/// Sent with every file.
pub const HEADERS: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin-allow-popups"),
    (
        "permissions-policy",
        "camera=(), microphone=(), geolocation=(self)",
    ),
];

/// Scripts come from us alone, and those that stand in the app's document are let in by their hash. Styles may stand in a page: the component
/// library writes its colours and the map its tiles' places that way.
pub fn content_security_policy(config: &WebConfig, document: &str) -> String {
    let mut images = String::from("'self' data: blob:");
    let mut calls = String::from("'self'");
    for url in config.service_urls().filter_map(|url| Url::parse(url).ok()) {
        let origin = url.origin().ascii_serialization();
        let _ = write!(images, " {origin}");
        let _ = write!(calls, " {origin} {}", origin.replacen("http", "ws", 1));
    }
    if let Some(origin) = config.tile_url().and_then(tile_origin) {
        let _ = write!(images, " {origin}");
    }
    let (mut scripts, mut frames) = (String::from("'self'"), String::new());
    for script in inline_scripts(document) {
        let _ = write!(
            scripts,
            " 'sha256-{}'",
            STANDARD.encode(Sha256::digest(script))
        );
    }
    if config.signs_in_with_google() {
        frames.push_str(" https://accounts.google.com");
        scripts.push_str(" https://accounts.google.com");
        calls.push_str(" https://accounts.google.com");
        images.push_str(" https://*.googleusercontent.com");
    }
    if let Some(stripe) = config.stripe() {
        if stripe.is_stripes_own() {
            // As https://docs.stripe.com/security/guide#content-security-policy names them.
            let own = " https://js.stripe.com https://*.js.stripe.com";
            scripts.push_str(own);
            frames.push_str(own);
            frames.push_str(" https://hooks.stripe.com");
            calls.push_str(" https://api.stripe.com");
        } else {
            let origin = format!(" {}", stripe.script.origin().ascii_serialization());
            scripts.push_str(&origin);
            frames.push_str(&origin);
            calls.push_str(&origin);
        }
    }
    let frames = if frames.is_empty() {
        "'none'"
    } else {
        frames.trim_start()
    };
    format!(
        "default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src {images}; \
         connect-src {calls}; font-src 'self'; frame-src {frames}; frame-ancestors 'none'; base-uri 'none'; \
         form-action 'self'; object-src 'none'"
    )
}

/// The scripts between `<script>` and `</script>`; those with a source or a type are not run from there.
fn inline_scripts(document: &str) -> impl Iterator<Item = &str> {
    let after = document.split("<script>").skip(1);
    after.filter_map(|rest| rest.split_once("</script>").map(|(script, _)| script))
}

/// The origin of tiles: `https://{s}.tile.example/{z}/{x}/{y}.png` has a host for each letter.
fn tile_origin(template: &str) -> Option<String> {
    let url = Url::parse(&template.replace("{s}", "any")).ok()?;
    let origin = url.origin().ascii_serialization();
    Some(if template.contains("{s}") {
        origin.replacen("any", "*", 1)
    } else {
        origin
    })
}

#[cfg(test)]
mod tests {
    use tiffin_chassis::Env;

    use super::*;

    #[test]
    fn only_configured_hosts_are_let_in() {
        let plain = content_security_policy(&WebConfig::read(&Env::default()).unwrap(), "");
        assert!(plain.contains("connect-src 'self';"), "{plain}");
        assert!(plain.contains("script-src 'self';"), "{plain}");
        let env = Env::from_pairs([
            ("TIFFIN_PUBLIC_URLS", "live=https://live.example:7009"),
            (
                "TIFFIN_TILE_URL",
                "https://{s}.tile.example/{z}/{x}/{y}.png",
            ),
        ]);
        let policy = content_security_policy(&WebConfig::read(&env).unwrap(), "");
        assert!(
            policy.contains("https://live.example:7009 wss://live.example:7009"),
            "{policy}"
        );
        assert!(policy.contains("https://*.tile.example"), "{policy}");
    }
    #[test]
    fn stripe_is_let_in_only_where_it_takes_the_payments() {
        let policy = |env: &Env| content_security_policy(&WebConfig::read(env).unwrap(), "");
        let sandbox = Env::from_pairs([("TIFFIN_STRIPE_PUBLISHABLE_KEY", "pk_1")]);
        assert_eq!(policy(&sandbox), policy(&Env::default()));
        let stripe = sandbox.with("TIFFIN_PAYMENT_PROVIDER", "stripe");
        let own = policy(&stripe);
        for part in [
            "script-src 'self' https://js.stripe.com https://*.js.stripe.com;",
            "frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;",
            "connect-src 'self' https://api.stripe.com;",
        ] {
            assert!(own.contains(part), "{part}: {own}");
        }
        let script = "http://127.0.0.1:8420/js.stripe.com/v3/";
        let local = policy(&stripe.with("TIFFIN_STRIPE_SCRIPT", script));
        assert!(
            local.contains("script-src 'self' http://127.0.0.1:8420;"),
            "{local}"
        );
        assert!(!local.contains("https://"), "{local}");
    }

    #[test]
    fn a_script_in_the_document_is_let_in_by_its_hash_alone() {
        // The example of https://www.w3.org/TR/CSP2/#script-src-hash-usage.
        let document = r#"<script type="application/json">{}</script>
            <script>alert('Hello, world.');</script><script src="/a.js"></script>"#;
        let policy = content_security_policy(&WebConfig::read(&Env::default()).unwrap(), document);
        let expected = "script-src 'self' 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=';";
        assert!(policy.contains(expected), "{policy}");
    }
}
