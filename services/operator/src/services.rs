//! Requests to services about their consumers, over the broker.

use std::time::{Duration, Instant};

use async_nats::{client::RequestErrorKind, jetstream::context::ConsumerInfoErrorKind};
use bytes::Bytes;
use tiffin_bus::{
    Broker, BrokerError,
    history::{Answer, Command, Description, Operation},
};
use tiffin_events::{Stream, services::with_database, subject};

use crate::{Error, error::Refusal};

/// The time-out of a service's answer. A dry run or a settled dead letter handles events before it answers.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);
/// The longest wait for a service that is not connected, such as after a restart of the broker.
const RECONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The time-out of a service's description.
const DESCRIPTION_TIMEOUT: Duration = Duration::from_secs(2);

/// The names of the services that have an outbox and consumers.
pub fn names() -> impl Iterator<Item = &'static str> {
    with_database().map(|service| service.name)
}

/// The service that a consumer belongs to.
pub fn of_consumer(consumer: &str) -> Result<&'static str, Refusal> {
    let (service, _) = consumer.split_once('_').unwrap_or_default();
    names()
        .find(|known| *known == service)
        .ok_or_else(|| Refusal::NoConsumer {
            name: consumer.to_owned(),
        })
}

/// A consumer that takes replays.
#[derive(Debug)]
pub struct ReplayConsumer {
    pub name: String,
    pub service: &'static str,
    /// The subjects of its stream that it takes.
    pub subjects: Vec<String>,
}

/// Looks for a consumer before anything begins, so that an unknown name is refused as such.
pub async fn find_consumer(broker: &Broker, name: &str) -> Result<ReplayConsumer, Error> {
    let service = of_consumer(name)?;
    let description = match request(broker, service, &Command::Describe, ANSWER_TIMEOUT).await? {
        Answer::Service(description) => description,
        other => return Err(unexpected(service, &other)),
    };
    let mut own = description.consumers.into_iter();
    if let Some(consumer) = own.find(|one| one.name == name) {
        return Ok(ReplayConsumer {
            name: consumer.name,
            service,
            subjects: consumer.subjects,
        });
    }
    if is_durable(broker, service, name).await? {
        return Err(Refusal::TakesNoReplays {
            consumer: name.to_owned(),
        }
        .into());
    }
    Err(Refusal::NoConsumer {
        name: name.to_owned(),
    }
    .into())
}

/// True if the broker knows the consumer; it does not know one that only copies its stream.
async fn is_durable(broker: &Broker, service: &str, name: &str) -> Result<bool, Error> {
    let stream = Stream::ALL
        .into_iter()
        .find(|stream| format!("{service}_{stream}") == name);
    match stream {
        Some(stream) => Ok(acknowledged(broker, service, stream).await?.is_some()),
        None => Ok(false),
    }
}

/// The stream sequence up to which a service's consumer has acknowledged; `None` if there is no such
/// consumer.
pub async fn acknowledged(
    broker: &Broker,
    service: &str,
    stream: Stream,
) -> Result<Option<u64>, BrokerError> {
    let handle = broker.jetstream.get_stream_no_info(stream.name()).await?;
    match handle.consumer_info(format!("{service}_{stream}")).await {
        Ok(info) => Ok(Some(info.ack_floor.stream_sequence)),
        Err(error) if error.kind() == ConsumerInfoErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Sends a command to a service and returns its answer; a refusal is an error.
pub async fn send(broker: &Broker, service: &str, command: &Command) -> Result<Answer, Error> {
    match request(broker, service, command, ANSWER_TIMEOUT).await? {
        Answer::Refused { message } => Err(Refusal::ByService { reason: message }.into()),
        Answer::Unavailable { message } => {
            tracing::warn!(
                service,
                message,
                "a service can't carry out a command just now"
            );
            let service = service.to_owned();
            Err(Refusal::ServiceUnavailable { service }.into())
        }
        answer => Ok(answer),
    }
}

/// Sends a command to a service and returns the progress of the operation that it has begun or works on.
pub async fn send_for_progress(
    broker: &Broker,
    name: &str,
    command: &Command,
) -> Result<Operation, Error> {
    match send(broker, name, command).await? {
        Answer::Operation(progress) => Ok(progress),
        other => Err(unexpected(name, &other)),
    }
}

/// Sends a command that is carried out at once, and returns the sentence that the service answers.
pub async fn send_for_sentence(
    broker: &Broker,
    name: &str,
    command: &Command,
) -> Result<String, Error> {
    match send(broker, name, command).await? {
        Answer::Done { message } => Ok(message),
        other => Err(unexpected(name, &other)),
    }
}

/// A service's description of its outbox and consumers; `None` if it does not answer.
pub async fn describe(broker: &Broker, name: &str) -> Option<Description> {
    match request(broker, name, &Command::Describe, DESCRIPTION_TIMEOUT).await {
        Ok(Answer::Service(description)) => Some(description),
        _ => None,
    }
}

/// The error for an answer that does not fit the command.
pub fn unexpected(service: &str, answer: &Answer) -> Error {
    BrokerError::Unexpected {
        service: service.to_owned(),
        answer: format!("{answer:?}"),
    }
    .into()
}

async fn request(
    broker: &Broker,
    service: &str,
    command: &Command,
    timeout: Duration,
) -> Result<Answer, Error> {
    let body = Bytes::from(serde_json::to_vec(command)?);
    let began = Instant::now();
    loop {
        let request = async_nats::Request::new()
            .payload(body.clone())
            .timeout(Some(timeout));
        let response = broker
            .client
            .send_request(subject::control(service), request);
        return match response.await {
            Ok(answer) => Ok(serde_json::from_slice(&answer.payload)?),
            Err(error) if error.kind() == RequestErrorKind::Other => {
                Err(BrokerError::from(error).into())
            }
            // After a restart of the broker each service reconnects by itself, which can take a moment.
            Err(error)
                if error.kind() == RequestErrorKind::NoResponders
                    && began.elapsed() < RECONNECT_TIMEOUT.min(timeout / 2) =>
            {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
            Err(_) => Err(Refusal::ServiceUnavailable {
                service: service.to_owned(),
            }
            .into()),
        };
    }
}
