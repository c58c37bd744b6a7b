//! Holds the versions of migrations, and what they may read: an outbox does not have what the archive has.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

/// The migration from which on published rows leave the outbox. Those before ran on whole ones.
const TRIMMED_FROM: &str = "20261125234500";

/// All migrations, those of the services and of what they share.
fn migrations() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let services = fs::read_dir(root.join("services")).unwrap();
    let services = services.map(|entry| entry.unwrap().path());
    let shared = ["events/bus", "platform/chassis"].map(|folder| root.join(folder));
    let folders = services
        .chain(shared)
        .map(|folder| folder.join("migrations"));
    let folders = folders.filter(|folder| folder.is_dir());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
    files.map(|entry| entry.unwrap().path()).collect()
}

/// True if the migration fills something from the rows of an outbox.
fn reads_outbox(sql: &str) -> bool {
    let words: Vec<&str> = sql.split_whitespace().collect();
    let mut pairs = words.windows(2);
    pairs.any(|pair| matches!(pair[0], "from" | "join") && pair[1].starts_with("bus.outbox"))
}

#[test]
fn a_migration_does_not_fill_tables_from_an_outbox() {
    let all = migrations();
    let readers = |path: &&PathBuf| reads_outbox(&fs::read_to_string(path).unwrap());
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let (late, early): (Vec<_>, Vec<_>) = all
        .iter()
        .filter(readers)
        .map(name)
        .partition(|name| name.as_str() >= TRIMMED_FROM);
    assert!(!early.is_empty(), "earlier ones read it, and are not found");
    assert!(
        late.is_empty(),
        "{late:?} read bus.outbox, whose archived rows are gone: rebuild the read model from archive and stream instead"
    );
}

#[test]
fn each_migration_of_a_database_has_another_version() {
    let mut versions = HashSet::new();
    for path in migrations() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let version = name.split('_').next().unwrap().to_owned();
        let folder = path.parent().unwrap().to_owned();
        assert!(versions.insert((folder, version)), "{}", path.display());
    }
}
