//! Made-up bytes: the committed seeds of a reader, every input that was ever a finding, and thousands
//! that grow out of them, the same ones each time.

use std::{fs, path::PathBuf};

use proptest::{
    collection::vec,
    prelude::{Strategy, any},
    sample::Index,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

/// The number of made-up inputs.
const CASES: u32 = 3_000;
/// Nothing grows beyond this.
const MAX_LENGTH: usize = 64 * 1024;

/// One change of an input.
#[derive(Clone, Debug)]
enum Change {
    Flip(Index, u8),
    Set(Index, u8),
    Cut(Index),
    Remove(Index, Index),
    Repeat(Index, Index),
    Insert(Index, Vec<u8>),
    /// The rest comes from another seed.
    Splice(Index, Index, Index),
}

/// Tries the seeds, the former findings and inputs derived from them. `reader` panics if a check fails; the
/// shortest such input is then reported.
pub fn try_all(target: &str, reader: impl Fn(&[u8])) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{target} has no seeds");
    for seed in &seeds {
        reader(seed);
    }
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let inputs = (any::<Index>(), vec(change(), 0..8)).prop_map(|(seed, changes)| {
        let mut input = seed.get(&seeds).clone();
        for change in changes {
            apply(&mut input, change, &seeds);
        }
        input.truncate(MAX_LENGTH);
        input
    });
    let tried = runner.run(&inputs, |input| {
        reader(&input);
        Ok(())
    });
    if let Err(error) = tried {
        panic!("{target}: {error}");
    }
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    proptest::prop_oneof![
        (at(), 0..8u8).prop_map(|(offset, bit)| Change::Flip(offset, 1 << bit)),
        (at(), any::<u8>()).prop_map(|(offset, byte)| Change::Set(offset, byte)),
        at().prop_map(Change::Cut),
        (at(), at()).prop_map(|(from, to)| Change::Remove(from, to)),
        (at(), at()).prop_map(|(from, to)| Change::Repeat(from, to)),
        (at(), vec(any::<u8>(), 1..16)).prop_map(|(offset, bytes)| Change::Insert(offset, bytes)),
        (at(), at(), at()).prop_map(|(offset, seed, from)| Change::Splice(offset, seed, from)),
    ]
}

fn apply(input: &mut Vec<u8>, change: Change, seeds: &[Vec<u8>]) {
    let end = input.len();
    let offset = |index: Index| index.index(end + 1);
    let between = |from: Index, to: Index| {
        let (from, to) = (offset(from), offset(to));
        from.min(to)..from.max(to)
    };
    match change {
        Change::Flip(at, bits) => {
            if let Some(byte) = input.get_mut(offset(at)) {
                *byte ^= bits;
            }
        }
        Change::Set(at, byte) => {
            if let Some(there) = input.get_mut(offset(at)) {
                *there = byte;
            }
        }
        Change::Cut(at) => input.truncate(offset(at)),
        Change::Remove(from, to) => drop(input.drain(between(from, to))),
        Change::Repeat(from, to) => {
            let part = input[between(from, to)].to_vec();
            input.extend(part);
        }
        Change::Insert(at, bytes) => {
            let at = offset(at);
            drop(input.splice(at..at, bytes));
        }
        Change::Splice(at, seed, from) => {
            let other = seed.get(seeds);
            input.truncate(offset(at));
            input.extend_from_slice(&other[from.index(other.len() + 1)..]);
        }
    }
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["seeds", "findings"].map(|kind| root.join("infra/fuzz").join(kind).join(target));
    let samples = (target == "envelope").then(|| root.join("events/catalog/samples"));
    let mut files: Vec<PathBuf> = folders
        .into_iter()
        .chain(samples)
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .filter_map(|file| Some(file.ok()?.path()))
        .collect();
    files.sort();
    let read = |file: &PathBuf| fs::read(file).expect("a seed");
    files.iter().map(read).collect()
}
