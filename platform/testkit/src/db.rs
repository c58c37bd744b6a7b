use std::{
    collections::HashMap,
    ptr,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use sqlx::{
    Connection, Executor, PgConnection, PgPool, migrate::Migrator, postgres::PgPoolOptions,
};
use tiffin_servers::{Durability, Home, Postgres};
use tokio::sync::{Mutex, OnceCell};

/// The one PostgreSQL of this test process. Its watcher stops it and removes its data when the
/// process ends, however it does.
struct Server {
    postgres: Postgres,
    /// Migrated databases to copy, by the address of the service's migrations.
    templates: Mutex<HashMap<usize, String>>,
    _home: Home,
}

static SERVER: OnceCell<Server> = OnceCell::const_new();
static DATABASES: AtomicU32 = AtomicU32::new(1);

/// A fresh database of one test, with the tables of bus, chassis and the service.
#[derive(Clone, Debug)]
pub struct TestDb {
    pub pool: PgPool,
    pub url: String,
}

impl TestDb {
    /// A copy of the migrated template, which the first test of a process makes.
    pub async fn new(migrations: &'static Migrator) -> Self {
        let server = SERVER.get_or_init(Server::start).await;
        let template = server.template(migrations).await;
        let name = format!("test_{}", DATABASES.fetch_add(1, Ordering::Relaxed));
        server
            .run(&format!("create database {name} template {template}"))
            .await;
        Self::at(server.postgres.url(&name)).await
    }

    /// An empty database, without any tables.
    pub async fn empty() -> Self {
        let server = SERVER.get_or_init(Server::start).await;
        let name = format!("test_{}", DATABASES.fetch_add(1, Ordering::Relaxed));
        server.run(&format!("create database {name}")).await;
        Self::at(server.postgres.url(&name)).await
    }

    async fn at(url: String) -> Self {
        let pool = PgPoolOptions::new()
            .max_connections(8)
            .min_connections(0)
            .acquire_timeout(Duration::from_secs(10))
            .connect(&url)
            .await
            .expect("a pool on the fresh database");
        Self { pool, url }
    }
}

impl Server {
    async fn start() -> Self {
        let home = Home::temporary(&crate::packages()).expect("a temporary folder");
        let postgres = Postgres::start(&home, Durability::Fast, &crate::report)
            .await
            .expect("PostgreSQL");
        Self {
            postgres,
            templates: Mutex::default(),
            _home: home,
        }
    }

    async fn template(&self, migrations: &'static Migrator) -> String {
        let mut templates = self.templates.lock().await;
        let key = ptr::from_ref(migrations).addr();
        if let Some(name) = templates.get(&key) {
            return name.clone();
        }
        let name = format!("template_{}", templates.len() + 1);
        self.run(&format!("create database {name}")).await;
        let mut connection = PgConnection::connect(&self.postgres.url(&name))
            .await
            .expect("a connection to the template");
        for migrator in [
            &tiffin_bus::MIGRATIONS,
            &tiffin_chassis::MIGRATIONS,
            migrations,
        ] {
            migrator
                .run_direct(None, &mut connection, false)
                .await
                .expect("the migrations apply");
        }
        connection.close().await.expect("the template is left");
        templates.insert(key, name.clone());
        name
    }

    async fn run(&self, sql: &str) {
        let mut connection = PgConnection::connect(&self.postgres.url("postgres"))
            .await
            .expect("a connection to PostgreSQL");
        connection
            .execute(sqlx::AssertSqlSafe(sql.to_owned()))
            .await
            .expect(sql);
        let _ = connection.close().await;
    }
}
