//! The words of the source: plain ones, by the list in `docs/glossary.md` and the rules in `CONTRIBUTING.md`.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Words that have a plainer one.
const BANNED: [&str; 13] = [
    "whoever",
    "somebody",
    "nobody",
    "anew",
    "told",
    "what is none",
    "in vain",
    "of its own",
    "of their own",
    "of his own",
    "of her own",
    "stands",
    "for ever",
];

/// First words of a doc comment that name no thing: the reader waits for the subject.
const OPENINGS: [&str; 9] = [
    "What", "How", "Whether", "Whose", "Who", "Where", "When", "Which", "That",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_other = ["target", "node_modules"]
            .iter()
            .any(|one| path.ends_with(one));
        if path.is_dir() && !is_other {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The Rust sources but this one, with their text.
fn texts() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["services", "platform", "events", "infra"] {
        sources(&root.join(folder), &mut found);
    }
    found.retain(|path| !path.ends_with("xtask/src/words.rs"));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    found.into_iter().map(read).collect()
}

/// True if `text` holds `word` between two characters that belong to no word. A name's parts are words, too.
fn holds(text: &str, word: &str) -> bool {
    let is_edge = |found: Option<char>| found.is_none_or(|found| !found.is_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + word.len()..].chars().next())
    })
}

#[test]
fn no_source_has_a_banned_word() {
    let mut found = Vec::new();
    for (path, text) in texts() {
        let text = text.to_lowercase().replace('_', " ");
        for (line, text) in (1..).zip(text.lines()) {
            let banned = BANNED.iter().filter(|word| holds(text, word));
            found.extend(banned.map(|word| format!("{}:{line}: {word}", path.display())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn descriptions_of_the_api_begin_with_their_subject() {
    const START: &str = "description = \"";
    let mut found = Vec::new();
    for (path, text) in texts() {
        for (line, text) in (1..).zip(text.lines()) {
            let description = text.split_once(START).map_or("", |(_, rest)| rest);
            let first = description.split_whitespace().next().unwrap_or_default();
            if OPENINGS.contains(&first) || first == "It" {
                found.push(format!("{}:{line}: {description}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn doc_comments_begin_with_their_subject() {
    let mut found = Vec::new();
    for (path, text) in texts() {
        let mut is_inside = false;
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim_start();
            let doc = text
                .strip_prefix("///")
                .or_else(|| text.strip_prefix("//!"));
            if let Some(doc) = doc.filter(|_| !is_inside) {
                let first = doc.split_whitespace().next().unwrap_or_default();
                if OPENINGS.contains(&first) {
                    found.push(format!("{}:{line}:{doc}", path.display()));
                }
            }
            is_inside = doc.is_some();
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
