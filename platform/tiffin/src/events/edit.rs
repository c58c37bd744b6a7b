//! `dead edit`: corrects the payload of a dead letter's event.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};
use tiffin_events::Clock;

use super::{
    Reason, dead_letters,
    output::Output,
    responses::{Done, Settled},
    show::fetch,
};
use crate::client::{
    Client,
    failure::{Exit, Failure},
    terminal::is_interactive,
};

#[derive(Debug, Args)]
pub struct Edit {
    /// Its sequence in the stream of dead letters.
    seq: u64,
    /// The payload as it should have been, a file of JSON, `-` for standard input. Without it the payload
    /// is opened in `$VISUAL` or `$EDITOR`, personal fields shown, which is recorded.
    #[arg(long)]
    file: Option<PathBuf>,
    #[command(flatten)]
    reason: Reason,
}

impl Edit {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let reason = self.reason.get()?;
        let data = match &self.file {
            Some(file) => read_file(file)?,
            None => self.edited(client, &reason).await?,
        };
        let path = ["dead", &self.seq.to_string(), "edit"];
        let done: Done = client
            .post(&path, &json!({ "reason": reason, "data": data }))
            .await?;
        let line = format!("{}: {}", self.seq, done.message);
        let settled = Settled {
            seq: self.seq,
            message: done.message,
        };
        out.done(&settled, &line)
    }

    /// The payload after editing it in an editor.
    async fn edited(&self, client: &Client, reason: &str) -> Result<Value> {
        if !is_interactive() {
            return Err(Failure::usage(
                "There is no terminal for an editor: give the payload with --file.",
            )
            .into());
        }
        let letter = dead_letters::find(client, self.seq).await?;
        let logged = fetch(
            client,
            &letter.stream,
            letter.stream_seq,
            Some(reason.to_owned()),
        )
        .await?;
        let old = &logged.event["data"];
        let draft = Draft::new(&serde_json::to_string_pretty(old)?)?;
        let edited = read(&draft.edit()?)?;
        if edited == *old {
            return Err(
                Failure::new(Exit::Failed, "Nothing was changed, so nothing is done.").into(),
            );
        }
        Ok(edited)
    }
}

fn read_file(file: &Path) -> Result<Value> {
    let mut text = String::new();
    let done = if file.as_os_str() == "-" {
        io::stdin().lock().read_to_string(&mut text).map(drop)
    } else {
        fs::read_to_string(file).map(|read| text = read)
    };
    done.map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?;
    read(&text)
}

fn read(text: &str) -> Result<Value> {
    let read = serde_json::from_str(text);
    Ok(read.map_err(|error| Failure::usage(format!("The payload is no JSON: {error}")))?)
}

/// A temporary file that only its owner can read. It is removed with this value.
struct Draft(PathBuf);

impl Draft {
    fn new(text: &str) -> Result<Self> {
        let name = format!("tiffin-{}.json", Clock::system().new_id());
        let path = std::env::temp_dir().join(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let mut file = options
            .open(&path)
            .with_context(|| path.display().to_string())?;
        let draft = Self(path);
        writeln!(file, "{text}")?;
        Ok(draft)
    }

    /// Opens the file in an editor, which may be a command with arguments, and returns its content afterwards.
    fn edit(&self) -> Result<String> {
        let set = ["VISUAL", "EDITOR"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok());
        let editor = set
            .filter(|set| !set.trim().is_empty())
            .unwrap_or_else(|| "vi".to_owned());
        let status = Command::new("sh")
            .args(["-c", &format!("{editor} \"$1\""), "editor"])
            .arg(&self.0)
            .status()
            .with_context(|| editor.clone())?;
        if !status.success() {
            return Err(Failure::failed(format!("{editor} failed, so nothing is done.")).into());
        }
        fs::read_to_string(&self.0).with_context(|| self.0.display().to_string())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
