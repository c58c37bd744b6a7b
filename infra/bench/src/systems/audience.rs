//! The deliveries that are watched, and who may watch them.

use anyhow::Result;
use async_nats::jetstream::{self, stream::Config};
use serde_json::json;
use tiffin_events::{
    DeliveryId, Stream, UserId,
    audience::{self, Audience},
    subject,
};
use uuid::Uuid;

/// The watchers.
pub fn customer() -> UserId {
    UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0001))
}

/// The delivery of a topic.
pub fn delivery(topic: u128) -> DeliveryId {
    DeliveryId(Uuid::from_u128(
        0x0193_0000_0000_7000_8000_0000_0001_0000 + topic,
    ))
}

/// A client of the broker at a URL with credentials.
pub async fn client(url: &str) -> Result<async_nats::Client> {
    let url: url::Url = url.parse()?;
    let user = url.username().to_owned();
    let password = url.password().unwrap_or_default().to_owned();
    let options = async_nats::ConnectOptions::with_user_and_password(user, password);
    let host = url.host_str().unwrap_or_default();
    let address = format!("{host}:{}", url.port().unwrap_or(4222));
    Ok(options.connect(address).await?)
}

/// Writes the audience of `topics` deliveries under way. With `is_stored` the broker also keeps
/// every position in its stream, as the platform has it.
pub fn prepare(url: &str, topics: u128, is_stored: bool) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let context = jetstream::new(client(url).await?);
        let bucket = Config {
            name: format!("KV_{}", audience::BUCKET),
            subjects: vec![subject::audience(">")],
            max_messages_per_subject: 1,
            allow_direct: true,
            ..Config::default()
        };
        context.create_stream(bucket).await?;
        if is_stored {
            let subjects = Stream::Positions.subjects().iter();
            let positions = Config {
                name: Stream::Positions.name().to_owned(),
                subjects: subjects.map(|subject| (*subject).to_owned()).collect(),
                max_bytes: Stream::Positions.max_bytes(),
                allow_direct: true,
                ..Config::default()
            };
            context.create_stream(positions).await?;
        }
        let entry = json!(Audience {
            users: vec![customer()],
            driver: None,
            active: true,
            version: 1,
        });
        for topic in 0..topics {
            let key = subject::audience(&audience::delivery_key(delivery(topic)));
            context
                .publish(key, entry.to_string().into())
                .await?
                .await?;
        }
        Ok(())
    })
}
