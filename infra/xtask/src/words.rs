//! The words of sources, documents and the site's English texts: plain ones, by the list in `docs/glossary.md` and the
//! rules in `CONTRIBUTING.md`.

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

/// Further ones, for documents and the web alone.
const BANNED_OUTSIDE_RUST: [&str; 2] = ["everybody", "there is none"];

/// First words of a doc comment that name no thing: the reader waits for the subject.
const OPENINGS: [&str; 9] = [
    "What", "How", "Whether", "Whose", "Who", "Where", "When", "Which", "That",
];

const RUST: [&str; 4] = ["services", "platform", "events", "infra"];

/// The root's documents and those of `docs`.
const DOCUMENTS: [&str; 5] = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "docs",
];

/// The folders and files of `web` that people write.
const WEB: [&str; 11] = [
    "web/src",
    "web/worker",
    "web/test",
    "web/journey",
    "web/docs",
    "web/roads",
    "web/brotli.ts",
    "web/preloads.ts",
    "web/styles.ts",
    "web/texts.ts",
    "web/vite.config.ts",
];

/// Not read: what is built, fetched or generated, this list, the users' own texts, other languages.
const LEFT_OUT: [&str; 7] = [
    "target",
    "node_modules",
    "web/src/api/generated",
    "infra/xtask/src/words.rs",
    "docs/specification",
    "web/src/texts/si",
    "web/src/texts/ta",
];

/// A file with its path from the repository's root.
struct Source {
    path: PathBuf,
    text: String,
}

/// The files at or below `places` that have one of these extensions.
fn sources(places: &[&str], extensions: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut waiting: Vec<PathBuf> = places.iter().map(PathBuf::from).collect();
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        let file = root.join(&path);
        if LEFT_OUT.iter().any(|one| path.ends_with(one)) {
            continue;
        }
        let is_wanted = || {
            path.extension()
                .is_some_and(|it| extensions.iter().any(|one| it == *one))
        };
        if file.is_dir() {
            let entries = fs::read_dir(&file).unwrap();
            waiting.extend(entries.map(|entry| path.join(entry.unwrap().file_name())));
        } else if is_wanted() {
            let text = fs::read_to_string(file).unwrap();
            found.push(Source { path, text });
        }
    }
    assert!(!found.is_empty(), "no {extensions:?} in {places:?}");
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

fn rust() -> Vec<Source> {
    sources(&RUST, &["rs"])
}

/// The text in small letters on one line, without the marks that comments, quotations and lists begin a line with; and
/// where each line begins in it. The parts of a name are words, too.
fn flat(text: &str) -> (String, Vec<usize>) {
    let (mut flat, mut lines) = (String::new(), Vec::new());
    for line in text.to_lowercase().replace('_', " ").lines() {
        lines.push(flat.len());
        let is_mark = |c: char| c.is_whitespace() || "/*!>#".contains(c);
        flat.extend([line.trim_start_matches(is_mark).trim_end(), " "]);
    }
    (flat, lines)
}

/// The lines where `text` has one of `words`, also where a line break divides it.
fn find<'a>(text: &str, words: &[&'a str]) -> Vec<(usize, &'a str)> {
    let (text, lines) = flat(text);
    let is_edge = |found: Option<char>| found.is_none_or(|found| !found.is_alphanumeric());
    let mut found = Vec::new();
    for word in words {
        for (at, _) in text.match_indices(word) {
            let (before, after) = (&text[..at], &text[at + word.len()..]);
            if is_edge(before.chars().next_back()) && is_edge(after.chars().next()) {
                found.push((lines.partition_point(|begin| *begin <= at), *word));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Fails for each of `words` that a source has.
fn refuse(words: &[&str], sources: Vec<Source>) {
    let mut found = Vec::new();
    for Source { path, text } in sources {
        let words = find(&text, words).into_iter();
        found.extend(words.map(|(line, word)| format!("{}:{line}: {word}", path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_rust_source_has_a_banned_word() {
    refuse(&BANNED, rust());
}

#[test]
fn no_document_has_a_banned_word() {
    refuse(
        &[&BANNED[..], &BANNED_OUTSIDE_RUST].concat(),
        sources(&DOCUMENTS, &["md"]),
    );
}

#[test]
fn no_source_of_the_web_and_no_english_text_has_a_banned_word() {
    let extensions = ["ts", "tsx", "js", "css", "html", "json", "md"];
    refuse(
        &[&BANNED[..], &BANNED_OUTSIDE_RUST].concat(),
        sources(&WEB, &extensions),
    );
}

#[test]
fn a_word_is_found_whole_in_any_case_and_across_lines() {
    let text = "Nobody was there.\n// It is in\n// vain, in a place of its\n * own.";
    let found = [(1, "nobody"), (2, "in vain"), (3, "of its own")];
    assert_eq!(find(text, &BANNED), found);
    assert_eq!(find("fn nobody_knows()", &BANNED), [(1, "nobody")]);
    assert!(find("nobodyBehind, toldYours, vain", &BANNED).is_empty());
}

#[test]
fn descriptions_of_the_api_begin_with_their_subject() {
    const START: &str = "description = \"";
    let mut found = Vec::new();
    for Source { path, text } in rust() {
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
    for Source { path, text } in rust() {
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

#[test]
fn doc_comments_of_the_web_begin_with_their_subject() {
    let mut found = Vec::new();
    for Source { path, text } in sources(&WEB, &["ts", "tsx", "js"]) {
        for (at, _) in text.match_indices("/**") {
            let mut words = text[at + 3..]
                .split_whitespace()
                .filter(|word| *word != "*");
            let first = words.next().unwrap_or_default();
            if OPENINGS.contains(&first) || first == "It" {
                let line = text[..at].matches('\n').count() + 1;
                found.push(format!("{}:{line}: {first}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
