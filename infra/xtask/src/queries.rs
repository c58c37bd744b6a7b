//! The `.sqlx` folders: what PostgreSQL says of every query, so that a build needs no database.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context, Result, ensure};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tiffin_events::services::with_database;
use tiffin_servers::{Durability, Home, Postgres};

use crate::step;

/// Crates with queries: folder and package.
fn crates() -> Vec<(String, String)> {
    let of = |folder: String, name: &str| (folder, format!("tiffin-{name}"));
    let shared = [
        of("events/bus".to_owned(), "bus"),
        of("platform/chassis".to_owned(), "chassis"),
    ];
    let services = with_database().map(|it| of(format!("services/{}", it.name), it.name));
    shared.into_iter().chain(services).collect()
}

/// The folders whose migrations every service's database has besides its own.
const SHARED: [&str; 2] = ["events/bus", "platform/chassis"];

/// Writes the `.sqlx` folders of `packages`, of all without any, from a temporary PostgreSQL.
pub fn run(packages: &[String]) -> Result<()> {
    let crates = crates();
    for package in packages {
        ensure!(
            crates.iter().any(|(_, name)| name == package),
            "{package} is not a package with queries"
        );
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let home = Home::temporary(&step::root().join(".tiffin/servers"))?;
    let report = |text: &str| eprintln!("{text}");
    let mut server = runtime.block_on(Postgres::start(&home, Durability::Fast, &report))?;
    let wanted = crates.iter().filter(|(_, package)| {
        packages.is_empty() || packages.iter().any(|wanted| wanted == package)
    });
    let written = wanted.into_iter().try_for_each(|(folder, package)| {
        runtime.block_on(migrate(&server, folder, package))?;
        check(&server, folder, package)
    });
    runtime.block_on(server.stop());
    written
}

/// A database with the migrations of one crate.
async fn migrate(server: &Postgres, folder: &str, package: &str) -> Result<()> {
    let database = database(package);
    let mut main = PgConnection::connect(&server.url("postgres")).await?;
    sqlx::query(AssertSqlSafe(format!("create database {database}")))
        .execute(&mut main)
        .await?;
    let mut connection = PgConnection::connect(&server.url(&database)).await?;
    for file in migrations(folder)? {
        let sql = fs::read_to_string(&file)?;
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut connection)
            .await
            .with_context(|| file.display().to_string())?;
    }
    Ok(())
}

fn migrations(folder: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let own = (!SHARED.contains(&folder)).then_some(folder);
    for folder in SHARED.into_iter().chain(own) {
        let mut found = fs::read_dir(step::root().join(folder).join("migrations"))?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<Vec<_>>>()?;
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

/// Compiles the crate against its database, which writes its `.sqlx` folder.
fn check(server: &Postgres, folder: &str, package: &str) -> Result<()> {
    let root = step::root();
    let offline = root.join(folder).join(".sqlx");
    if offline.exists() {
        fs::remove_dir_all(&offline)?;
    }
    fs::create_dir_all(&offline)?;
    // Each crate reads its own settings from here, so that those it builds on stay as they are.
    let settings = root.join(folder).join(".env");
    let text = format!(
        "DATABASE_URL={}\nSQLX_OFFLINE_DIR={}\n",
        server.url(&database(package)),
        offline.display()
    );
    fs::write(&settings, text)?;
    touch(&root.join(folder).join("src/lib.rs"))?;
    let mut command = step::cargo();
    command
        .args(["check", "--quiet", "--package", package])
        .env("SQLX_OFFLINE", "false");
    let checked = step::run(&format!("queries of {package}"), &mut command);
    fs::remove_file(&settings)?;
    checked.map(drop)
}

fn database(package: &str) -> String {
    package.replace('-', "_")
}

#[expect(
    clippy::disallowed_methods,
    reason = "the build tool looks at the age of files"
)]
fn touch(file: &Path) -> Result<()> {
    Ok(fs::File::options()
        .append(true)
        .open(file)?
        .set_modified(SystemTime::now())?)
}
