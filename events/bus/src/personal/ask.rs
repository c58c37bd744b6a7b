//! Requests to services for what they hold about an account.

use std::time::Duration;

use bytes::Bytes;
use tiffin_events::{UserId, subject};
use uuid::Uuid;

use super::{Ask, Cursor, Page, respond::FAILURE};
use crate::Broker;

/// The longest wait for an answer.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The reason why a service's part is not there. Asking again later may help.
#[derive(Debug, thiserror::Error)]
#[error("the {service} service does not answer for an account: {reason}")]
pub struct AskError {
    pub service: String,
    pub reason: String,
}

/// Asks a service for rows of an account, after a cursor.
pub async fn ask_for_page(
    broker: &Broker,
    service: &str,
    account: UserId,
    after: Option<Cursor>,
) -> Result<Page, AskError> {
    let answer = ask(broker, service, &Ask::Page { account, after }).await?;
    serde_json::from_slice(&answer).map_err(|error| failed(service, &error))
}

/// Asks a service for the part of a file that begins at a byte. Empty at its end, and if the file is gone.
pub async fn ask_for_file(
    broker: &Broker,
    service: &str,
    account: UserId,
    id: Uuid,
    from: usize,
) -> Result<Bytes, AskError> {
    ask(broker, service, &Ask::File { account, id, from }).await
}

async fn ask(broker: &Broker, service: &str, ask: &Ask) -> Result<Bytes, AskError> {
    let body = serde_json::to_vec(ask).map_err(|error| failed(service, &error))?;
    let request = async_nats::Request::new()
        .payload(body.into())
        .timeout(Some(TIMEOUT));
    let asked = broker
        .client
        .send_request(subject::personal(service), request);
    let answer = asked.await.map_err(|error| failed(service, &error))?;
    let failure = answer.headers.as_ref().and_then(|all| all.get(FAILURE));
    match failure {
        Some(failure) => Err(failed(service, failure)),
        None => Ok(answer.payload),
    }
}

fn failed(service: &str, reason: &impl ToString) -> AskError {
    AskError {
        service: service.to_owned(),
        reason: reason.to_string(),
    }
}
