//! Compares the documents with the sources: each name and each file that one has in backticks exists.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{
    collections::HashSet,
    fs,
    path::{Component, Path, PathBuf},
};

/// Documents of the past, of another's words and of words alone.
const LEFT_OUT: [&str; 3] = ["docs/decisions", "docs/specification", "docs/glossary.md"];

/// The names that a checklist makes up for its example, by a part that each of them has.
const EXAMPLES: [(&str, &str); 4] = [
    ("docs/adding-a-page.md", "favourites"),
    ("docs/adding-a-service.md", "loyalty"),
    ("docs/adding-an-endpoint.md", "delay"),
    ("docs/adding-an-event.md", "delayed"),
];

/// Files that Tiffin makes, a value, and a program of the system.
const NOT_SOURCES: [&str; 5] = ["run.json", ".tiffin/", "web/dist", "tiffin/order", "strace"];

/// The document in which each name with `::` is a test.
const CHECKLIST: &str = "docs/security-checklist.md";

/// First words of a command, whose others are no names.
const PROGRAMS: [&str; 7] = ["cargo", "docker", "nats", "npm", "npx", "openssl", "tiffin"];

/// A file in the sources.
struct Source {
    path: PathBuf,
    text: String,
}

/// The repository's folders and files, by their path from its root.
struct Repository {
    paths: Vec<PathBuf>,
    sources: Vec<Source>,
    words: HashSet<String>,
}

impl Repository {
    fn read() -> Self {
        const SKIPPED: [&str; 5] = ["target", "node_modules", "dist", ".git", ".tiffin"];
        const CODE: [&str; 11] = [
            "rs", "ts", "tsx", "js", "sql", "toml", "conf", "yml", "json", "css", "html",
        ];
        let root = root();
        let mut waiting = vec![PathBuf::new()];
        let (mut paths, mut sources) = (Vec::new(), Vec::new());
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(root.join(&folder)).unwrap() {
                let entry = entry.unwrap();
                let path = folder.join(entry.file_name());
                let kind = entry.file_type().unwrap();
                let is_code = path
                    .extension()
                    .is_some_and(|it| CODE.iter().any(|one| it == *one));
                if SKIPPED.iter().any(|it| path.ends_with(it)) {
                    continue;
                }
                if kind.is_dir() {
                    waiting.push(path.clone());
                } else if is_code && !path.ends_with(file!()) {
                    let text = fs::read_to_string(root.join(&path)).unwrap();
                    let path = path.clone();
                    sources.push(Source { path, text });
                }
                paths.push(path);
            }
        }
        let words = sources.iter().flat_map(|source| words(&source.text));
        let words = words.map(str::to_owned).collect();
        Self {
            paths,
            sources,
            words,
        }
    }

    /// True if a folder or file has this path, or one that ends with it. `<name>`, `{a,b}`, `*` and `…` in it match all.
    fn has_path(&self, wanted: &str) -> bool {
        let wanted: Vec<&str> = wanted.trim_end_matches('/').split('/').rev().collect();
        let is_match = |(one, wanted): (Component<'_>, &&str)| {
            wanted.contains(['<', '{', '*', '…']) || one.as_os_str() == *wanted
        };
        self.paths.iter().any(|path| {
            path.components().count() >= wanted.len()
                && path.components().rev().zip(&wanted).all(is_match)
        })
    }

    /// True if a Rust source has this function; `module` is a part of its path.
    fn has_test(&self, module: &str, name: &str) -> bool {
        let function = format!("fn {name}(");
        self.sources.iter().any(|Source { path, text }| {
            let path = path.with_extension("");
            let is_there = module == "…" || path.components().any(|it| it.as_os_str() == module);
            is_there && text.contains(&function)
        })
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c| !is_part(c))
        .filter(|word| !word.is_empty())
}

/// The documents that are compared, by their path from the repository's root.
fn documents() -> Vec<PathBuf> {
    let mut found = vec!["README.md".into(), "SECURITY.md".into()];
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let path = Path::new("docs").join(entry.unwrap().file_name());
        let is_left_out = LEFT_OUT.iter().any(|one| path.ends_with(one));
        if !is_left_out && path.extension().is_some_and(|it| it == "md") {
            found.push(path);
        }
    }
    found
}

/// The parts of a text that are in backticks, with its line; blocks of code are left out.
fn names(text: &str) -> Vec<(usize, String)> {
    let mut is_block = false;
    let mut prose = String::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_block ^= is_fence;
        prose.extend([if is_fence || is_block { "" } else { line }, "\n"]);
    }
    let mut line = 1;
    let mut found = Vec::new();
    for (number, part) in prose.split('`').enumerate() {
        if number % 2 == 1 {
            found.push((line, part.to_owned()));
        }
        line += part.matches('\n').count();
    }
    found
}

/// True for `web/src`, `check.rs` and the like, false for an address (`/readyz`), a subject and code.
fn is_path(name: &str) -> bool {
    const FILES: [&str; 9] = [
        "rs", "ts", "tsx", "json", "md", "toml", "yml", "conf", "sql",
    ];
    let is_of_path = |c: char| c.is_alphanumeric() || "._-/<>{},*…".contains(c);
    let is_file = || {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|ending| FILES.contains(&ending))
    };
    name.chars().all(is_of_path) && !name.starts_with('/') && (name.contains('/') || is_file())
}

/// The part of a name in backticks that does not exist, in words.
fn missing(repository: &Repository, document: &Path, name: &str) -> Option<String> {
    let is_example = |(file, part): &(&str, &str)| {
        document.ends_with(file) && name.to_lowercase().contains(part)
    };
    let first = name.split_whitespace().next().unwrap_or_default();
    let is_command = PROGRAMS.contains(&first) && first != name;
    if EXAMPLES.iter().any(is_example) || NOT_SOURCES.contains(&name) || is_command {
        return None;
    }
    if is_path(name) {
        return (!repository.has_path(name)).then(|| format!("no file or folder `{name}`"));
    }
    let test = name
        .rsplit_once("::")
        .filter(|_| document.ends_with(CHECKLIST));
    if let Some((path, test)) = test.filter(|(_, test)| words(test).eq([*test])) {
        let module = path.rsplit(['/', ':']).next().unwrap_or_default();
        let is_there = repository.has_test(module.trim_end_matches(".rs"), test);
        return (!is_there).then(|| format!("no test `fn {test}` in a file or folder `{module}`"));
    }
    let unknown = words(name).find(|word| !repository.words.contains(*word))?;
    Some(format!("no source has `{unknown}`, of `{name}`"))
}

#[test]
fn each_name_and_each_file_of_a_document_exists() {
    let repository = Repository::read();
    let mut found = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(root().join(&document)).unwrap();
        for (line, name) in names(&text) {
            if let Some(missing) = missing(&repository, &document, &name) {
                found.push(format!("{}:{line}: {missing}", document.display()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "mend the document, or the name:\n{}",
        found.join("\n")
    );
}

#[test]
fn what_does_not_exist_is_found() {
    let repository = Repository::read();
    let in_checklist = |name| missing(&repository, Path::new(CHECKLIST), name);
    let existing = [
        "live::slow::a_socket_that_takes_no_statuses_is_closed",
        "chassis/src/body.rs::each_kind_of_bad_body_has_its_status",
        "services/<name>/tests/it",
        "hub/compare.rs",
        "web/src/texts/{en,si,ta}/server.json",
        "sqlx::query!",
        "/readyz",
        "cargo xtask dance",
    ];
    for name in existing {
        assert_eq!(in_checklist(name), None);
    }
    let gone = [
        format!(
            "live::{}::a_socket_that_takes_no_statuses_is_closed",
            "fast"
        ),
        format!("live::slow::{}", "a_socket_dances"),
        format!("services/live/src/{}.rs", "dance"),
        format!("Socket::{}", "DanceWithMe"),
    ];
    for name in &gone {
        assert!(in_checklist(name).is_some(), "{name}");
    }
}
