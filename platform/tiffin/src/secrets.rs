//! `tiffin secrets`: every password and key that a start with containers needs, as an environment file.

use std::fmt::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use rand::{RngExt, distr::Alphabetic};
use tiffin_events::{
    rights::{OBSERVER, SETUP},
    services::NAMES,
};

use crate::services::Service;

/// Prints new secrets; nothing is stored.
pub fn print() {
    print!("{}", text());
}

/// One line for each secret. Letters only, because secrets are part of URLs, and nats-server reads a leading
/// digit as a number.
fn text() -> String {
    let mut text = String::new();
    let broker = NAMES.into_iter().chain([SETUP, OBSERVER]);
    let broker = broker.map(|user| format!("TIFFIN_NATS_{}_PASSWORD", user.to_uppercase()));
    let databases = Service::ALL
        .into_iter()
        .filter(|it| it.migrations().is_some());
    let databases =
        databases.map(|it| format!("TIFFIN_{}_DATABASE_PASSWORD", it.name().to_uppercase()));
    let others = ["POSTGRES_PASSWORD", "TIFFIN_SERVICE_KEY", "TIFFIN_ANON_KEY"].map(str::to_owned);
    // Writing into memory does not fail.
    for name in broker.chain(databases).chain(others) {
        let made: String = rand::rng()
            .sample_iter(Alphabetic)
            .take(40)
            .map(char::from)
            .collect();
        let _ = writeln!(text, "{name}={made}");
    }
    let key = STANDARD.encode(rand::random::<[u8; 32]>());
    let _ = writeln!(text, "TIFFIN_MASTER_KEY={key}");
    text
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    const COMPOSE: &str = include_str!("../../../docker-compose.yml");

    /// The lines of each service of `docker-compose.yml`, and of the parts that they share.
    fn sections() -> BTreeMap<&'static str, Vec<&'static str>> {
        let mut sections: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let (mut name, mut in_services) = ("", false);
        for line in COMPOSE.lines() {
            let is_top = !line.starts_with([' ', '#']) && !line.is_empty();
            if is_top {
                in_services = line == "services:";
            }
            let is_service = in_services && line.starts_with("  ") && !line.starts_with("   ");
            if is_top || (is_service && !line.trim_start().starts_with('#')) {
                name = line.trim().split(':').next().unwrap();
            }
            sections.entry(name).or_default().push(line);
        }
        sections
    }

    fn has(section: &[&str], text: &str) -> bool {
        section.iter().any(|line| line.contains(text))
    }

    #[test]
    fn every_secret_of_the_containers_is_made_and_no_other() {
        let made: BTreeSet<String> = text()
            .lines()
            .map(|line| line.split('=').next().unwrap().to_owned())
            .collect();
        let wanted: BTreeSet<String> = COMPOSE
            .split("${")
            .skip(1)
            .map(|rest| rest.split([':', '}']).next().unwrap().to_owned())
            .collect();
        assert_eq!(made, wanted);
        assert_ne!(text(), text());
    }

    #[test]
    fn every_service_has_a_container_at_its_port() {
        let sections = sections();
        for service in Service::ALL {
            let row = service.row();
            let section = &sections[row.name];
            assert!(has(section, &format!("TIFFIN_BIND: 0.0.0.0:{}", row.port)));
            let public = format!("{}=http://localhost:{}", row.name, row.port);
            assert!(has(&sections["web"], &public), "{public}");
        }
    }

    #[test]
    fn a_container_has_its_own_secrets_alone_and_no_more_rights_than_it_needs() {
        let sections = sections();
        for line in [
            "read_only: true",
            "cap_drop: [ALL]",
            "no-new-privileges:true",
        ] {
            assert!(has(&sections["x-hardened"], line), "{line}");
        }
        assert!(has(&sections["x-service"], "<<: *hardened"));
        for shared in ["x-service", "x-environment", "x-hardened"] {
            assert!(
                !has(&sections[shared], "${"),
                "{shared} gives a secret to all"
            );
        }
        for service in Service::ALL {
            let section = &sections[service.name()];
            assert!(has(section, "<<: *service"));
            let own = format!(
                "nats://{0}:${{TIFFIN_NATS_{1}_PASSWORD}}@",
                service.name(),
                service.name().to_uppercase()
            );
            assert!(has(section, &own), "{}", service.name());
            assert_eq!(
                has(section, "TIFFIN_SERVICE_KEY"),
                [Service::User, Service::Driver].contains(&service),
                "{}",
                service.name()
            );
            assert_eq!(has(section, "TIFFIN_MASTER_KEY"), service == Service::User);
            for other in Service::ALL.into_iter().filter(|other| *other != service) {
                let name = other.name().to_uppercase();
                assert!(!has(section, &format!("TIFFIN_NATS_{name}_")));
                assert!(!has(section, &format!("TIFFIN_{name}_DATABASE")));
            }
        }
        for name in ["postgres", "nats", "prepare", "web"] {
            assert!(has(&sections[name], "<<: *hardened"), "{name}");
        }
        // Ports are published on this machine alone, and none of the inner ones is.
        for line in COMPOSE
            .lines()
            .filter(|line| line.trim().starts_with("ports:"))
        {
            assert!(
                line.contains("[\"127.0.0.1:") && !line.contains(":8001"),
                "{line}"
            );
        }
    }
}
