use anyhow::Result;

use super::{
    answers::Letter,
    client::Client,
    failure::{Exit, Failure},
};

/// One dead letter.
pub async fn find(client: &Client, seq: u64) -> Result<Letter> {
    let letters: Vec<Letter> = client.get(&["dead"], &[]).await?;
    let found = letters.into_iter().find(|letter| letter.seq == seq);
    Ok(found.ok_or_else(|| Failure::new(Exit::NotFound, "There is no such dead letter."))?)
}
