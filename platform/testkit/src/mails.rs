//! The mails that a service wrote to its folder instead of sending them.

use std::{fs, path::Path};

/// All mails in a folder, oldest first.
pub fn mails_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a mail folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a mail").path()).collect();
    files.sort();
    files
        .iter()
        .map(|file| fs::read_to_string(file).expect("a mail"))
        .collect()
}
