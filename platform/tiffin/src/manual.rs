//! `tiffin completions` and `tiffin man`: shell completions and manual pages, generated from the command line.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

/// The manual's pages.
#[derive(Debug, clap::Args)]
pub struct Manual {
    /// The page of this command: `events replay`. That of `tiffin` without any.
    command: Vec<String>,
    /// Writes all pages into this folder, a file each.
    #[arg(long, conflicts_with = "command")]
    folder: Option<PathBuf>,
}

pub fn completions(mut tiffin: Command, shell: Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut tiffin, "tiffin", &mut script);
    print(&script)
}

impl Manual {
    pub fn run(self, tiffin: Command) -> Result<()> {
        let mut tiffin = tiffin.disable_help_subcommand(true);
        tiffin.build();
        match self.folder {
            Some(folder) => write_all(tiffin, &folder),
            None => print(&render(find(tiffin, &self.command)?)?),
        }
    }
}

fn find(mut command: Command, path: &[String]) -> Result<Command> {
    for word in path {
        let next = command.find_subcommand(word).cloned();
        let Some(next) = next else {
            bail!("there is no command {}", path.join(" "));
        };
        command = next;
    }
    Ok(command)
}

fn write_all(tiffin: Command, folder: &Path) -> Result<()> {
    let written =
        fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(tiffin, folder));
    written.with_context(|| folder.display().to_string())
}

fn render(command: Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}

/// The reader of a pipe may stop reading.
fn print(text: &[u8]) -> Result<()> {
    match io::stdout().lock().write_all(text) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}
