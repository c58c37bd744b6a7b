//! Each call of the specification, and the test that made it in this run.

use std::{collections::BTreeMap, fs};

use anyhow::{Context, Result, ensure};

use crate::{platform, step};

/// The calls of the specification, one `METHOD path` a line under the service's name.
const LIST: &str = "platform/tiffin/tests/platform/calls/list.txt";

/// Deletes the records of earlier runs.
pub fn clear() -> Result<()> {
    let folder = platform::target_folder()?.join("tmp/exercised");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    Ok(())
}

/// Prints the table. A call that no test has made over HTTP, with success, is an error.
pub fn print() -> Result<()> {
    let made = made()?;
    let mut missing = Vec::new();
    println!("\n{:<64} made by", "call of the specification");
    let list = fs::read_to_string(step::root().join(LIST)).context(LIST)?;
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        // A call is indented below its service's name.
        let Some((method, path)) = line
            .strip_prefix("  ")
            .and_then(|call| call.split_once(' '))
        else {
            println!("{line}");
            continue;
        };
        let call = format!("{method} {path}");
        let tests = made.get(&pattern(&call)).cloned().unwrap_or_default();
        println!("  {call:<62} {}", tests.join(", "));
        if tests.is_empty() {
            missing.push(call);
        }
    }
    ensure!(
        missing.is_empty(),
        "no test makes these calls of the specification over HTTP against the real stack, with \
         success; add them to platform/tiffin/tests/platform/calls: {}",
        missing.join(", ")
    );
    Ok(())
}

/// The tests by the call that they made, as the platform's own log had it.
fn made() -> Result<BTreeMap<String, Vec<String>>> {
    let folder = platform::target_folder()?.join("tmp/exercised");
    let mut made: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let test = path.file_stem().unwrap_or_default().to_string_lossy();
        for call in fs::read_to_string(&path)?.lines() {
            made.entry(pattern(call))
                .or_default()
                .push(test.clone().into_owned());
        }
    }
    for tests in made.values_mut() {
        // Those that are about the calls themselves before those that need them for something else.
        tests.sort_by_key(|test| (!test.starts_with("calls::"), test.clone()));
        tests.truncate(2);
    }
    Ok(made)
}

/// A call with any names of parameters.
fn pattern(call: &str) -> String {
    let mut pattern = String::new();
    let mut inside = false;
    for letter in call.chars() {
        match letter {
            '{' => inside = true,
            '}' => {
                inside = false;
                pattern.push_str("{}");
            }
            _ if inside => {}
            letter => pattern.push(letter),
        }
    }
    pattern
}
