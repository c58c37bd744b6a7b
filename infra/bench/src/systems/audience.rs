//! The deliveries that are watched, and who may watch them.

use anyhow::Result;
use async_nats::jetstream::{self, stream::Config};
use serde_json::json;
use tiffin_events::{
    DeliveryId, Stream, UserId,
    audience::{self, Audience, DriverDeliveries},
    subject,
};
use uuid::Uuid;

/// The watchers.
pub fn customer() -> UserId {
    UserId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0001))
}

/// The driver of a topic's delivery.
pub fn driver(topic: u128) -> UserId {
    UserId(Uuid::from_u128(
        0x0193_0000_0000_7000_8000_0000_0002_0000 + topic,
    ))
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

/// Writes the audience of `topics` deliveries under way, each with its driver. With `is_stored` the broker also keeps
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
        // The bridge looks the last position of a new driver up there, so the stream is there in any case.
        let kept = Stream::Positions.subjects().iter();
        let kept = kept.map(|subject| (*subject).to_owned()).collect();
        let positions = Config {
            name: Stream::Positions.name().to_owned(),
            subjects: if is_stored {
                kept
            } else {
                vec!["unused".to_owned()]
            },
            max_bytes: Stream::Positions.max_bytes(),
            allow_direct: true,
            ..Config::default()
        };
        context.create_stream(positions).await?;
        for topic in 0..topics {
            let (delivery, driver) = (delivery(topic), driver(topic));
            let audience = Audience {
                users: vec![customer()],
                driver: Some(driver),
                active: true,
                version: 1,
            };
            let deliveries = DriverDeliveries {
                deliveries: vec![delivery],
                version: 1,
            };
            for (key, entry) in [
                (audience::delivery_key(delivery), json!(audience)),
                (audience::driver_key(driver), json!(deliveries)),
            ] {
                let subject = subject::audience(&key);
                context
                    .publish(subject, entry.to_string().into())
                    .await?
                    .await?;
            }
        }
        Ok(())
    })
}
