use std::{fs, io::ErrorKind, path::Path};

use anyhow::{Context, Result};

/// The progress of the demo, as a file in the home folder records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing of it was ever made here.
    Absent,
    /// It was begun. Without a process that makes it, it is half a demo.
    Making,
    Made,
}

const FILE: &str = "demo";

impl Mark {
    pub fn read(home: &Path) -> Result<Self> {
        match fs::read_to_string(home.join(FILE)) {
            Ok(text) if text.trim() == "made" => Ok(Self::Made),
            Ok(_) => Ok(Self::Making),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::Absent),
            Err(error) => Err(error).context("the demo's mark can't be read"),
        }
    }

    /// Whole or not at all.
    pub fn write(self, home: &Path) -> Result<()> {
        let file = home.join(FILE);
        let text = match self {
            Self::Absent => {
                return fs::remove_file(file).context("the demo's mark can't be removed");
            }
            Self::Making => "making\n",
            Self::Made => "made\n",
        };
        let fresh = file.with_extension("new");
        fs::write(&fresh, text)
            .and_then(|()| fs::rename(&fresh, &file))
            .context("the demo's mark can't be written")
    }
}

#[cfg(test)]
mod tests {
    use super::Mark;

    #[test]
    fn a_mark_says_how_far_the_demo_got() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(Mark::read(home.path()).unwrap(), Mark::Absent);
        for mark in [Mark::Making, Mark::Made] {
            mark.write(home.path()).unwrap();
            assert_eq!(Mark::read(home.path()).unwrap(), mark);
        }
        Mark::Absent.write(home.path()).unwrap();
        assert_eq!(Mark::read(home.path()).unwrap(), Mark::Absent);
    }
}
