//! Real servers, started, killed and started again.

use std::{path::PathBuf, process::Command, time::Duration};

use tiffin_servers::{Durability, Home, Nats, Postgres, ServersError, nats_server_binary};

fn packages() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.tiffin/servers")
}

fn runs(pid: u32) -> bool {
    std::path::Path::new(&format!("/proc/{pid}")).exists()
}

fn silent(_: &str) {}

#[tokio::test]
async fn postgres_survives_a_kill_with_its_data_and_port() {
    let home = Home::temporary(&packages()).unwrap();
    let mut postgres = Postgres::start(&home, Durability::Fast, &silent)
        .await
        .unwrap();
    let (url, first) = (postgres.url("postgres"), postgres.pid().unwrap());
    assert!(runs(first));
    postgres.kill();
    assert!(!runs(first));
    postgres.start_again().await.unwrap();
    assert_eq!(postgres.url("postgres"), url);
    let second = postgres.pid().unwrap();
    assert_ne!(first, second);
    postgres.stop().await;
    assert!(!runs(second));
    postgres.start_again().await.unwrap();
}

#[tokio::test]
async fn nats_survives_a_kill_on_its_port() {
    let home = Home::temporary(&packages()).unwrap();
    let mut nats = Nats::start(&home, Durability::Full, &silent).await.unwrap();
    let (url, first) = (nats.url(), nats.pid().unwrap());
    nats.kill();
    nats.start_again().await.unwrap();
    assert_eq!(nats.url(), url);
    assert_ne!(nats.pid(), Some(first));
    nats.stop().await;
    assert_eq!(nats.pid(), None);
}

#[tokio::test]
async fn a_folder_is_for_one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let _first = Home::at(folder.path()).unwrap();
    assert!(matches!(
        Home::at(folder.path()),
        Err(ServersError::InUse(_))
    ));
}

/// Runs as a separate process: [`a_killed_process_leaves_no_server_behind`] starts and kills it.
#[tokio::test]
#[ignore = "started by a test as a separate process"]
async fn holds_servers_until_it_is_killed() {
    let home = Home::temporary(&packages()).unwrap();
    let nats = Nats::start(&home, Durability::Fast, &silent).await.unwrap();
    let postgres = Postgres::start(&home, Durability::Fast, &silent)
        .await
        .unwrap();
    let report = PathBuf::from(std::env::var("TIFFIN_TEST_TELL").unwrap());
    let text = format!(
        "{} {} {}",
        nats.pid().unwrap(),
        postgres.pid().unwrap(),
        home.folder().display()
    );
    std::fs::write(report.with_extension("new"), text).unwrap();
    std::fs::rename(report.with_extension("new"), report).unwrap();
    tokio::time::sleep(Duration::from_mins(1)).await;
}

#[tokio::test]
async fn a_killed_process_leaves_no_server_behind() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let mut holder = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "holds_servers_until_it_is_killed"])
        .env("TIFFIN_TEST_TELL", &report)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let text = eventually(|| std::fs::read_to_string(&report).ok()).await;
    holder.kill().unwrap();
    holder.wait().unwrap();
    let mut words = text.split(' ');
    let (nats, postgres) = (words.next().unwrap(), words.next().unwrap());
    let home = PathBuf::from(words.next().unwrap());
    eventually(|| (!runs(nats.parse().unwrap()) && !runs(postgres.parse().unwrap())).then_some(()))
        .await;
    eventually(|| (!home.exists()).then_some(())).await;
}

async fn eventually<T>(mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(found) = look() {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never came to be");
}

/// A password for each user that the configuration names.
fn passwords() -> Vec<(&'static str, &'static str)> {
    include_str!("../../../infra/nats/users.conf")
        .split('$')
        .filter_map(|rest| {
            rest.split(|c: char| !c.is_ascii_uppercase() && c != '_')
                .next()
        })
        .filter(|name| name.starts_with("TIFFIN_NATS_"))
        .map(|name| (name, "secret"))
        .collect()
}

#[tokio::test]
async fn the_broker_s_configuration_files_are_valid() {
    let binary = nats_server_binary(&packages(), &silent).await.unwrap();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../infra/nats");
    for file in std::fs::read_dir(&folder).unwrap() {
        let file = file.unwrap().path();
        if file
            .extension()
            .is_some_and(|extension| extension == "conf")
            // A part of the others.
            && file.file_name().is_some_and(|name| name != "users.conf")
        {
            let answer = Command::new(&binary)
                .args(["-t", "-c"])
                .arg(&file)
                .envs(passwords())
                .env("TIFFIN_NATS_NAME", "nats-1")
                .env("TIFFIN_NATS_STORE", std::env::temp_dir())
                .output()
                .unwrap();
            assert!(
                answer.status.success(),
                "{}: {}",
                file.display(),
                String::from_utf8_lossy(&answer.stderr)
            );
        }
    }
}
