//! The record that the agent keeps on its disk, so that no crash makes it print a ticket twice. Each change is on the
//! disk before what follows it.

use std::{
    collections::BTreeSet,
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{ErrorKind, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tiffin_events::Clock;
use uuid::Uuid;

use super::printer::Printout;
use crate::client::failure::Failure;

/// The ticket at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub ticket: Uuid,
    /// None from before the first byte goes to the printer until the result is known.
    pub printout: Option<Printout>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    agent: Uuid,
    entry: Option<Entry>,
    /// The printers that have answered with their state.
    #[serde(default)]
    answering: BTreeSet<String>,
}

/// The journal of one agent, which no other process has open.
pub struct Journal {
    file: PathBuf,
    contents: Contents,
    clock: Clock,
    _lock: File,
}

impl Journal {
    /// Opens the journal in a folder, or begins one with a new id of the agent.
    pub fn open(folder: &Path, clock: &Clock) -> Result<Self> {
        let path = |name: &str| folder.join(name);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.with_context(|| folder.display().to_string())?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let lock = options.open(path("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let folder = folder.display();
                let message = format!("Another agent uses {folder}. Give this one --state.");
                return Err(Failure::refused(message).into());
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let file = path("journal.json");
        let contents = match fs::read(&file) {
            Ok(text) => Some(
                serde_json::from_slice(&text)
                    .with_context(|| format!("{} can't be read; remove it", file.display()))?,
            ),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| file.display().to_string()),
        };
        let is_new = contents.is_none();
        let journal = Self {
            contents: contents.unwrap_or_else(|| Contents {
                agent: clock.new_id(),
                entry: None,
                answering: BTreeSet::new(),
            }),
            file,
            clock: clock.clone(),
            _lock: lock,
        };
        if is_new {
            journal.save()?;
        }
        Ok(journal)
    }

    pub const fn agent(&self) -> Uuid {
        self.contents.agent
    }

    pub const fn entry(&self) -> Option<Entry> {
        self.contents.entry
    }

    pub fn set(&mut self, entry: Entry) -> Result<()> {
        self.contents.entry = Some(entry);
        self.save()
    }

    /// True of a printer that has answered with its state before, to this agent or one before it.
    pub fn is_answering(&self, printer: &str) -> bool {
        self.contents.answering.contains(printer)
    }

    pub fn note_answering(&mut self, printer: &str) -> Result<()> {
        if self.contents.answering.insert(printer.to_owned()) {
            self.save()?;
        }
        Ok(())
    }

    /// Ends the ticket at hand. After one that was given back the agent has a new id: its report may arrive once more,
    /// late, and then gives back no ticket that was claimed since.
    pub fn clear(&mut self) -> Result<()> {
        let entry = self.contents.entry.take();
        if entry.is_some_and(|entry| matches!(entry.printout, Some(Printout::Unsent(_)))) {
            self.contents.agent = self.clock.new_id();
        }
        self.save()
    }

    /// Replaces the file atomically, and waits until the disk has it.
    fn save(&self) -> Result<()> {
        let new = self.file.with_extension("json.new");
        let save = || {
            let mut file = OpenOptions::new();
            file.write(true).create(true).truncate(true).mode(0o600);
            let mut file = file.open(&new)?;
            file.write_all(&serde_json::to_vec(&self.contents)?)?;
            file.sync_all()?;
            fs::rename(&new, &self.file)?;
            File::open(self.file.parent().unwrap_or(Path::new(".")))?.sync_all()
        };
        let saved: std::io::Result<()> = save();
        saved.with_context(|| self.file.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::{super::printer::Problem, *};

    #[test]
    fn one_process_has_it_and_the_next_finds_what_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::system();
        let mut first = Journal::open(folder.path(), &clock).unwrap();
        assert!(Journal::open(folder.path(), &clock).is_err());
        let entry = Entry {
            ticket: clock.new_id(),
            printout: None,
        };
        first.set(entry).unwrap();
        first.note_answering("tcp://printer:9100").unwrap();
        let agent = first.agent();
        drop(first);
        let next = Journal::open(folder.path(), &clock).unwrap();
        assert_eq!((next.agent(), next.entry()), (agent, Some(entry)));
        assert!(next.is_answering("tcp://printer:9100"));
        assert!(!next.is_answering("usb:/dev/usb/lp0"));
    }

    #[test]
    fn an_agent_that_gives_a_ticket_back_gets_a_new_id() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::system();
        let mut journal = Journal::open(folder.path(), &clock).unwrap();
        let mut agents = vec![journal.agent()];
        for printout in [
            Printout::Printed,
            Printout::Doubtful(Problem::Unconfirmed),
            Printout::Unsent(Problem::PrinterAway),
        ] {
            let ticket = clock.new_id();
            let printout = Some(printout);
            journal.set(Entry { ticket, printout }).unwrap();
            journal.clear().unwrap();
            assert_eq!(journal.entry(), None);
            agents.push(journal.agent());
        }
        let [first, printed, doubtful, unsent] = agents[..] else {
            panic!("{agents:?}");
        };
        assert_eq!([printed, doubtful], [first; 2]);
        assert_ne!(unsent, first);
        drop(journal);
        let next = Journal::open(folder.path(), &clock).unwrap();
        assert_eq!(next.agent(), unsent);
    }
}
