//! Gathers what the services hold about an account.

use serde::Deserialize;
use tiffin_bus::{
    Broker,
    personal::{self, AskError, Part},
};
use tiffin_events::services;
use uuid::Uuid;

use super::{
    key, texts,
    zip_file::{ZipFile, ZipFileError},
};
use crate::{
    Error, State,
    store::copies::{self, Claim},
};

/// The reason why an attempt ended early.
#[derive(Debug, thiserror::Error)]
pub(super) enum GatherError {
    /// The account is closed, or another process makes the copy.
    #[error("another process makes the copy, or the account is closed")]
    Lost,
    #[error(transparent)]
    Service(#[from] AskError),
    #[error(transparent)]
    ZipFile(#[from] ZipFileError),
    #[error(transparent)]
    Claim(#[from] Error),
}

impl GatherError {
    /// The service that did not answer.
    pub fn service(&self) -> Option<&str> {
        match self {
            Self::Service(error) => Some(&error.service),
            Self::Lost | Self::ZipFile(_) | Self::Claim(_) => None,
        }
    }
}

/// A file that belongs to a row.
struct File {
    service: &'static str,
    id: Uuid,
    path: String,
}

/// The part of a row that names its file.
#[derive(Deserialize)]
struct Naming {
    id: Option<Uuid>,
    file: Option<String>,
}

/// Makes the ZIP file in the store, and returns its size. Nothing of it stays if a part is missing.
pub(super) async fn gather(
    state: &State,
    broker: &Broker,
    claim: &Claim,
) -> Result<i64, GatherError> {
    let upload = state.copies.writer(claim.id, &key(claim.attempt)).await;
    let upload = upload.map_err(ZipFileError::from)?;
    let mut zip = ZipFile::new(upload, state.clock.now());
    let gathering = Gathering {
        state,
        broker,
        claim,
    };
    match gathering.fill(&mut zip).await {
        Ok(()) => Ok(zip.finish().await?),
        Err(error) => {
            zip.abort().await;
            Err(error)
        }
    }
}

/// One attempt.
struct Gathering<'a> {
    state: &'a State,
    broker: &'a Broker,
    claim: &'a Claim,
}

impl Gathering<'_> {
    async fn fill(&self, zip: &mut ZipFile) -> Result<(), GatherError> {
        zip.begin_text("README.txt")?;
        let about = texts::about(self.claim.language, self.state.clock.now());
        zip.write(about.as_bytes()).await?;
        let mut files = Vec::new();
        for service in services::with_database() {
            self.add_rows(zip, service.name, &mut files).await?;
        }
        for file in files {
            self.add_file(zip, &file).await?;
        }
        Ok(())
    }

    /// Prolongs the claim before each request.
    async fn renew(&self) -> Result<(), GatherError> {
        let now = self.state.clock.now();
        if copies::renew(&self.state.pool, self.claim, now).await? {
            Ok(())
        } else {
            Err(GatherError::Lost)
        }
    }

    /// Adds a service's rows as one JSON object of lists.
    async fn add_rows(
        &self,
        zip: &mut ZipFile,
        service: &'static str,
        files: &mut Vec<File>,
    ) -> Result<(), GatherError> {
        let (mut open, mut next) = (None, None);
        loop {
            self.renew().await?;
            let page = personal::ask_for_page(self.broker, service, self.claim.user, next).await?;
            // Not before the first answer: a file that is begun is part of the ZIP file.
            if open.is_none() {
                zip.begin_text(&format!("{service}.json"))?;
            }
            for part in &page.parts {
                files.extend(
                    part.rows
                        .iter()
                        .filter_map(|row| file_of(service, row.get())),
                );
                zip.write(part_text(part, &mut open).as_bytes()).await?;
            }
            next = page.next;
            if next.is_none() {
                let end = if open.is_some() { "\n  ]\n}\n" } else { "{}\n" };
                zip.write(end.as_bytes()).await?;
                return Ok(());
            }
        }
    }

    /// Adds a file, unless it is gone by now.
    async fn add_file(&self, zip: &mut ZipFile, file: &File) -> Result<(), GatherError> {
        let (account, mut from) = (self.claim.user, 0);
        loop {
            self.renew().await?;
            let chunk =
                personal::ask_for_file(self.broker, file.service, account, file.id, from).await?;
            if chunk.is_empty() {
                return Ok(());
            }
            if from == 0 {
                zip.begin_picture(&file.path)?;
            }
            zip.write(&chunk).await?;
            from += chunk.len();
        }
    }
}

fn file_of(service: &'static str, row: &str) -> Option<File> {
    let naming: Naming = serde_json::from_str(row).ok()?;
    Some(File {
        service,
        id: naming.id?,
        path: naming.file?,
    })
}

/// The JSON of some rows. `open` is the list that is written: one that a page broke off goes on.
fn part_text(part: &Part, open: &mut Option<(String, bool)>) -> String {
    let mut text = String::new();
    match open {
        Some((section, _)) if *section == part.section => {}
        _ => {
            text.push_str(if open.is_some() { "\n  ],\n" } else { "{\n" });
            text.extend(["  \"", &part.section, "\": ["]);
            *open = Some((part.section.clone(), false));
        }
    }
    if let Some((_, has_rows)) = open {
        for row in &part.rows {
            let comma = if std::mem::replace(has_rows, true) {
                ","
            } else {
                ""
            };
            text.extend([comma, "\n    ", row.get()]);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tiffin_bus::personal::Page;

    use super::*;

    #[test]
    fn a_list_that_a_page_broke_off_goes_on() {
        let pages = [
            json!({ "parts": [{ "section": "a", "rows": [] }, { "section": "b", "rows": [1] }], "next": null }),
            json!({ "parts": [{ "section": "b", "rows": [2, 3] }, { "section": "c", "rows": [] }], "next": null }),
        ];
        let (mut text, mut open) = (String::new(), None);
        for page in pages {
            let page: Page = serde_json::from_value(page).unwrap();
            text.extend(page.parts.iter().map(|part| part_text(part, &mut open)));
        }
        text += "\n  ]\n}\n";
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read, json!({ "a": [], "b": [1, 2, 3], "c": [] }));
    }
}
