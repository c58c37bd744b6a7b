//! The mails and events that the platform has sent.

use std::{collections::BTreeSet, fs};

use futures_util::StreamExt;
use sqlx::{AssertSqlSafe, Connection, FromRow, PgConnection, postgres::PgRow};
use tiffin_events::{Envelope, subject::Subject};

use super::Stack;

impl Stack {
    /// The texts of all mails.
    fn mails(&self) -> Vec<String> {
        let Ok(folder) = fs::read_dir(self.file("mail")) else {
            return Vec::new();
        };
        folder
            .filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok())
            .filter(|mail| mail.contains("\r\n\r\n"))
            .collect()
    }

    /// The rows of a service's tables.
    pub async fn rows<T>(&self, service: &str, sql: &str) -> Vec<T>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let url = self.database_url(service);
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let rows = sqlx::query_as(AssertSqlSafe(sql.to_owned()));
        rows.fetch_all(&mut connection).await.unwrap()
    }

    /// The names of the mails' files, which begin with the mails' ids.
    pub fn mail_ids(&self) -> BTreeSet<String> {
        let files = fs::read_dir(self.file("mail")).unwrap().flatten();
        files
            .filter_map(|file| file.file_name().into_string().ok())
            .collect()
    }

    pub fn mails_to(&self, email: &str) -> Vec<String> {
        let to = |mail: &String| {
            mail.lines()
                .any(|line| line.starts_with("To:") && line.contains(email))
        };
        self.mails().into_iter().filter(to).collect()
    }

    pub fn mails_about(&self, code: &str) -> Vec<String> {
        let about = |mail: &String| {
            mail.lines()
                .any(|line| line.starts_with("Subject:") && line.contains(code))
        };
        self.mails().into_iter().filter(about).collect()
    }

    /// The envelopes of all events of a stream, in its order.
    pub async fn envelopes(&self, stream: &str) -> Vec<Envelope> {
        let stream = self.broker.jetstream.get_stream(stream).await.unwrap();
        let count = stream.cached_info().state.messages;
        let config = async_nats::jetstream::consumer::pull::OrderedConfig::default();
        let consumer = stream.create_consumer(config).await.unwrap();
        let messages = consumer.messages().await.unwrap();
        messages
            .take(usize::try_from(count).unwrap())
            .map(|message| serde_json::from_slice(&message.unwrap().payload).unwrap())
            .collect()
            .await
    }

    /// The last words of the subjects that a stream holds of one aggregate, sorted; one a message.
    pub async fn events(&self, stream: &str, aggregate: &str) -> Vec<String> {
        let stream = self.broker.jetstream.get_stream(stream).await.unwrap();
        let count = stream.cached_info().state.messages;
        let config = async_nats::jetstream::consumer::pull::OrderedConfig::default();
        let messages = stream
            .create_consumer(config)
            .await
            .unwrap()
            .messages()
            .await
            .unwrap();
        let mut names: Vec<String> = messages
            .take(usize::try_from(count).unwrap())
            .filter_map(|message| {
                let subject = message.unwrap().subject.to_string();
                let parts = Subject::parse(&subject).unwrap();
                let is_its = parts.id.to_string() == aggregate;
                std::future::ready(is_its.then(|| parts.event.to_owned()))
            })
            .collect()
            .await;
        names.sort();
        names
    }

    pub async fn dead_letters(&self) -> u64 {
        self.broker
            .jetstream
            .get_stream("DEADLETTERS")
            .await
            .unwrap()
            .cached_info()
            .state
            .messages
    }
}
