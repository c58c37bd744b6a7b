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
    let (mut scripts, mut frames) = (String::from("'self'"), "'none'");
    for script in inline_scripts(document) {
        let _ = write!(
            scripts,
            " 'sha256-{}'",
            STANDARD.encode(Sha256::digest(script))
        );
    }
    if config.signs_in_with_google() {
        frames = "https://accounts.google.com";
        scripts.push_str(" https://accounts.google.com");
        calls.push_str(" https://accounts.google.com");
        images.push_str(" https://*.googleusercontent.com");
    }
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
    fn a_script_in_the_document_is_let_in_by_its_hash_alone() {
        // The example of https://www.w3.org/TR/CSP2/#script-src-hash-usage.
        let document = r#"<script type="application/json">{}</script>
            <script>alert('Hello, world.');</script><script src="/a.js"></script>"#;
        let policy = content_security_policy(&WebConfig::read(&Env::default()).unwrap(), document);
        let expected = "script-src 'self' 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=';";
        assert!(policy.contains(expected), "{policy}");
    }
}
