//! `export`: streams as lines of JSON.

use anyhow::Result;
use clap::Args;
use reqwest::Method;

use super::{
    Why,
    client::Client,
    failure::{Exit, Failure},
    follow,
    names::StreamName,
    output::{Output, tell, thousands},
};

#[derive(Debug, Args)]
pub struct Export {
    /// The stream; may be given more than once.
    #[arg(long, required = true, value_parser = StreamName)]
    stream: Vec<String>,
    /// The first place.
    #[arg(long, value_name = "PLACE")]
    from: Option<u64>,
    /// The last place.
    #[arg(long, value_name = "PLACE")]
    to: Option<u64>,
    #[command(flatten)]
    why: Why,
}

impl Export {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from > to
        {
            return Err(Failure::usage("The window ends before it begins.").into());
        }
        let reason = self.why.reason()?;
        for stream in &self.stream {
            self.one(client, out, stream, &reason).await?;
        }
        Ok(())
    }

    async fn one(
        &self,
        client: &Client,
        out: &mut Output,
        stream: &str,
        reason: &str,
    ) -> Result<()> {
        let mut query = vec![("reason", reason.to_owned())];
        query.extend(self.from.map(|from| ("from", from.to_string())));
        query.extend(self.to.map(|to| ("to", to.to_string())));
        let request = client
            .operator(Method::GET, &["export", stream])
            .await?
            .query(&query);
        let mut answer = client.send(request).await?;
        let told = answer
            .headers()
            .get("tiffin-count")
            .and_then(|count| count.to_str().ok());
        let count: Option<u64> = told.and_then(|count| count.parse().ok());
        let bar = follow::bar(count.unwrap_or_default(), follow::EVENTS);
        bar.set_prefix(stream.to_owned());
        let mut lines = 0;
        while let Some(part) = answer.chunk().await.map_err(Failure::from)? {
            out.bytes(&part)?;
            lines += u64::try_from(part.split(|byte| *byte == b'\n').count() - 1)?;
            bar.set_position(lines);
        }
        bar.finish_and_clear();
        if count.is_some_and(|count| count > lines) {
            let message = format!("{stream} broke off after {lines} events: do it again.");
            return Err(Failure::new(Exit::Unreachable, message).into());
        }
        tell(format!("{stream}: {} events.", thousands(lines)));
        Ok(())
    }
}
