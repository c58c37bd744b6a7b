//! The one list of services. Rust reads it; `web/src/lib/services.ts` and `infra/postgres/databases.sql` are made
//! from it, and tests compare it with `docker-compose.yml`.

/// A service as others need to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Service {
    /// The name in consumer names, event sources, secrets and the command line.
    pub name: &'static str,
    /// The port of `tiffin serve` unless `TIFFIN_BIND` says otherwise.
    pub port: u16,
    /// True if it has a database, and with it an outbox.
    pub has_database: bool,
    /// The beginnings of the paths that it answers.
    pub paths: &'static [&'static str],
    /// The name of its database in `/readyz`.
    pub database_check: &'static str,
    /// The name of its relay in `/readyz`.
    pub relay_check: &'static str,
    /// The name in `/readyz` of the comparison of its database with its streams.
    pub history_check: &'static str,
}

macro_rules! services {
    ($($name:literal $port:literal $has_database:literal [$($path:literal),*];)*) => {
        /// Every service, in the order of the ports.
        pub const SERVICES: [Service; [$($port),*].len()] = [$(Service {
            name: $name,
            port: $port,
            has_database: $has_database,
            paths: &[$($path),*],
            database_check: concat!($name, " database"),
            relay_check: concat!($name, " relay"),
            history_check: concat!($name, " history"),
        }),*];
    };
}

services! {
    "user" 7001 true ["/api/v1/users", "/api/v1/inquiry", "/api/v1/geocode", "/.well-known/jwks.json"];
    "restaurant" 7002 true ["/api/v1/restaurant", "/api/v1/collection", "/api/v1/reviews"];
    "order" 7003 true ["/api/v1/orders"];
    "payment" 7004 true ["/api/v1/payment"];
    "delivery" 7005 true ["/api/v1/delivery"];
    "driver" 7006 true ["/api/v1/driver"];
    "notification" 7007 true ["/api/v1/notification"];
    "media" 7008 true ["/storage/v1/object"];
    "live" 7009 false ["/live"];
    "operator" 7010 true ["/api/v1/operator"];
}

/// The names of all services.
pub const NAMES: [&str; SERVICES.len()] = {
    let mut names = [""; SERVICES.len()];
    let mut at = 0;
    while at < SERVICES.len() {
        names[at] = SERVICES[at].name;
        at += 1;
    }
    names
};

/// The services that have a database.
pub fn with_database() -> impl Iterator<Item = &'static Service> {
    SERVICES.iter().filter(|service| service.has_database)
}

/// `web/src/lib/services.ts`.
pub fn typescript() -> String {
    let mut rows = String::new();
    for service in SERVICES {
        let paths: Vec<String> = service
            .paths
            .iter()
            .map(|path| format!("'{path}'"))
            .collect();
        let paths = paths.join(", ");
        rows.extend(["  { name: '", service.name, "', paths: [", &paths, "] },\n"]);
    }
    TYPESCRIPT.replace("{rows}", &rows)
}

/// `web/src/lib/services.ts` without the rows.
const TYPESCRIPT: &str = "\
// Made from `events/catalog/src/services.rs` by `cargo xtask generate`.

/** Every service, with the beginnings of the paths that it answers. */
export const SERVICES = [
{rows}] as const

export type ServiceName = (typeof SERVICES)[number]['name']

/** The service that answers a path. */
export function serviceOf(path: string): ServiceName | undefined {
  return SERVICES.find(({ paths }) => paths.some((start) => path.startsWith(start)))?.name
}
";

/// `infra/postgres/databases.sql`.
pub fn databases() -> String {
    let mut text = String::from(
        "-- Made from `events/catalog/src/services.rs` by `cargo xtask generate`.\n\
         --\n\
         -- One role and one database a service, made when the server is first started: a role signs in, owns its\n\
         -- own database and may connect to no other. Passwords come from the environment of psql.\n\n\
         revoke connect on database postgres, template1, tiffin from public;\n",
    );
    for service in with_database() {
        let variable = service.name.to_ascii_uppercase();
        text += &DATABASE
            .replace("{variable}", &variable)
            .replace("{name}", service.name);
    }
    text
}

/// The part of one service in `infra/postgres/databases.sql`.
const DATABASE: &str = "
\\getenv password TIFFIN_{variable}_DATABASE_PASSWORD
create role tiffin_{name} with login nosuperuser nocreatedb nocreaterole password :'password';
create database tiffin_{name} owner tiffin_{name};
revoke connect, temporary on database tiffin_{name} from public;
";
