use std::{fs, io::ErrorKind, path::Path};

use anyhow::{Context, Result};

/// The progress of the demo, as a file in the home folder records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemoState {
    /// The demo was never begun here.
    Absent,
    /// The demo was begun. If no process creates it now, it is incomplete.
    Begun,
    Complete,
}

const FILE: &str = "demo";

impl DemoState {
    pub fn read(home: &Path) -> Result<Self> {
        match fs::read_to_string(home.join(FILE)) {
            Ok(text) if text.trim() == "made" => Ok(Self::Complete),
            Ok(_) => Ok(Self::Begun),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::Absent),
            Err(error) => Err(error).context("the demo's state file can't be read"),
        }
    }

    /// Replaces the file atomically.
    pub fn write(self, home: &Path) -> Result<()> {
        let file = home.join(FILE);
        let text = match self {
            Self::Absent => {
                return fs::remove_file(file).context("the demo's state file can't be removed");
            }
            Self::Begun => "making\n",
            Self::Complete => "made\n",
        };
        let fresh = file.with_extension("new");
        fs::write(&fresh, text)
            .and_then(|()| fs::rename(&fresh, &file))
            .context("the demo's state file can't be written")
    }
}

#[cfg(test)]
mod tests {
    use super::DemoState;

    #[test]
    fn the_state_of_the_demo_is_stored() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(DemoState::read(home.path()).unwrap(), DemoState::Absent);
        for state in [DemoState::Begun, DemoState::Complete] {
            state.write(home.path()).unwrap();
            assert_eq!(DemoState::read(home.path()).unwrap(), state);
        }
        DemoState::Absent.write(home.path()).unwrap();
        assert_eq!(DemoState::read(home.path()).unwrap(), DemoState::Absent);
    }
}
