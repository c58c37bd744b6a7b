use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use super::{Group, VARIABLES};

/// Variables of tests and tools.
const TOOLS: [&str; 3] = ["TIFFIN_FAULT", "TIFFIN_GENERATE", "TIFFIN_TEST_TELL"];

/// Variables that no Rust code reads: PostgreSQL's image does.
const ELSEWHERE: [&str; 1] = ["POSTGRES_PASSWORD"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn is_variable(text: &str) -> bool {
    let is_name = text
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let starts = ["TIFFIN_", "OTEL_", "AWS_"];
    let others = ["RUST_LOG", "XDG_CONFIG_HOME"];
    let is_ours = starts.iter().any(|start| text.starts_with(start))
        || text.ends_with("_URL")
        || others.contains(&text);
    is_name && is_ours && !text.ends_with('_')
}

/// The string literals of all sources that look like variables.
fn read_by_code() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders: Vec<PathBuf> = ["events", "platform", "services"]
        .iter()
        .flat_map(|folder| fs::read_dir(root().join(folder)).unwrap())
        .map(|entry| entry.unwrap().path().join("src"))
        .filter(|folder| folder.is_dir())
        .collect();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("env/variables.rs") && !path.ends_with("tests.rs") {
                let source = fs::read_to_string(path).unwrap();
                let literals = source.split('"').filter(|text| is_variable(text));
                found.extend(literals.map(str::to_owned));
            }
        }
    }
    found
}

#[test]
fn the_table_has_every_variable_that_code_reads_and_no_other() {
    let code = read_by_code();
    assert!(code.len() > 30, "{} variables", code.len());
    let names = || VARIABLES.iter().flat_map(|one| one.names);
    for name in &code {
        let is_named = names().any(|known| known == name)
            || VARIABLES
                .iter()
                .any(|one| one.meaning.contains(&format!("`{name}`")));
        assert!(
            is_named || TOOLS.contains(&&**name),
            "{name} is read and not in the table"
        );
    }
    for name in names().filter(|name| !name.contains('<') && !ELSEWHERE.contains(name)) {
        assert!(code.contains(*name), "{name} is in the table and not read");
    }
}

#[test]
fn the_operations_page_shows_the_table() {
    let page = root().join("docs/operations.md");
    let before = fs::read_to_string(&page).unwrap();
    let mut after = before.clone();
    for group in Group::ALL {
        let heading = format!(
            "### {}\n\n<!-- made by cargo xtask generate -->\n",
            group.title()
        );
        let (head, rest) = after.split_once(&heading).unwrap();
        let (_, tail) = rest.split_once("<!-- end -->").unwrap();
        after = format!("{head}{heading}{}<!-- end -->{tail}", group.table());
    }
    if env::var_os("TIFFIN_GENERATE").is_some() {
        fs::write(&page, after).unwrap();
        return;
    }
    assert_eq!(before, after, "run `cargo xtask generate`");
}
