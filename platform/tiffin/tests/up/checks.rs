//! Properties of a platform that runs: rights, folders, listeners.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use sqlx::{Connection, PgConnection};
use tiffin_events::services;

use crate::platform::Up;

/// Every service's role is no superuser, owns its database, and gets into no other.
pub async fn roles_are_least(up: &Up) {
    let running = up.running();
    let databases = running["databases"].as_object().unwrap();
    assert_eq!(databases.len(), services::with_database().count());
    for (service, url) in databases {
        let url = url.as_str().unwrap();
        let mut own = PgConnection::connect(url).await.unwrap();
        let (name, is_super, makes): (String, bool, bool) = sqlx::query_as(
            "select rolname::text, rolsuper or rolbypassrls or rolreplication, rolcreatedb or rolcreaterole
             from pg_roles where rolname = current_user",
        )
        .fetch_one(&mut own)
        .await
        .unwrap();
        assert_eq!(
            (name.as_str(), is_super, makes),
            (format!("tiffin_{service}").as_str(), false, false)
        );
        let open: Vec<String> = sqlx::query_scalar(
            "select datname::text from pg_database where has_database_privilege(datname, 'connect')
               and datallowconn",
        )
        .fetch_all(&mut own)
        .await
        .unwrap();
        assert_eq!(open, [format!("tiffin_{service}")]);
        for other in databases
            .keys()
            .map(|it| format!("tiffin_{it}"))
            .chain(["postgres".to_owned()])
        {
            if other == format!("tiffin_{service}") {
                continue;
            }
            let (server, _) = url.rsplit_once('/').unwrap();
            let refused = PgConnection::connect(&format!("{server}/{other}")).await;
            let said = refused.map(drop).unwrap_err().to_string();
            assert!(
                said.contains("permission denied"),
                "{service} in {other}: {said}"
            );
        }
        for sql in [
            "create database mine",
            "create role mine",
            "alter role tiffin_user superuser",
        ] {
            sqlx::query(sql).execute(&mut own).await.unwrap_err();
        }
    }
    let user = databases["user"].as_str().unwrap();
    let mut accounts = PgConnection::connect(user).await.unwrap();
    let plain: i64 = sqlx::query_scalar(
        "select count(*) from signing_keys where get_byte(private_key, 0) <> 1 or length(private_key) < 60",
    )
    .fetch_one(&mut accounts)
    .await
    .unwrap();
    assert_eq!(plain, 0, "signing keys that are not sealed");
    let key = up.home().join("master-key").metadata().unwrap();
    assert_eq!(key.permissions().mode() & 0o777, 0o600);
}

/// Other users see nothing of the data folder. Under root PostgreSQL, which is another user then, passes
/// through it to its own data.
pub fn the_home_is_closed(up: &Up) {
    let home = up.home();
    let mode = |folder: &Path| folder.metadata().unwrap().mode() & 0o777;
    let of_home = if home.metadata().unwrap().uid() == 0 {
        0o711
    } else {
        0o700
    };
    assert_eq!(format!("{:o}", mode(&home)), format!("{of_home:o}"));
    for folder in ["log", "mail", "nats", "postgres", "routing"].map(|name| home.join(name)) {
        // The first mail makes its folder, and the routers begin in the background.
        let is_late = (folder.ends_with("mail") || folder.ends_with("routing")) && !folder.exists();
        assert!(is_late || mode(&folder) == 0o700, "{}", folder.display());
    }
}

/// As an earlier release left them.
pub fn open_up(home: &Path) {
    fs::create_dir_all(home.join("mail")).unwrap();
    for folder in [home.to_owned(), home.join("log"), home.join("mail")] {
        fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).unwrap();
    }
}

/// `/metrics` and what services ask each other are on the inner listener alone.
pub async fn the_inner_side_is_apart(up: &Up) {
    let running = up.running();
    let ask = async |side: &str, path: &str| {
        let url = format!("{}{path}", running[side].as_str().unwrap());
        up.client.get(url).send().await.unwrap().status().as_u16()
    };
    for path in ["/metrics", "/metrics/", "/internal/users"] {
        assert_eq!(ask("url", path).await, 404, "{path}");
    }
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(ask("internal", path).await, 200, "{path}");
    }
    // It is there, for those who show the key.
    assert_eq!(ask("internal", "/internal/users").await, 405);
    assert!(
        running["internal"]
            .as_str()
            .unwrap()
            .starts_with("http://127.0.0.1:")
    );
}

/// Everything that the start, the demo and the services do is within the rights of their users.
pub fn nothing_is_refused_by_the_broker(up: &Up) {
    let log = fs::read_to_string(up.home().join("log/nats.log")).unwrap();
    let refused: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("Violation"))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
