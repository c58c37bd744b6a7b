//! The audit's chain: every event of `OPERATIONS` contains its own hash and that of the event before it.

mod check;
mod verifier;

pub use check::start_check;

use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tiffin_bus::{Broker, Outgoing, outbox, read};
use tiffin_events::{Stream, operation::LinkV1};

use crate::{Error, store::chain};
use verifier::ChainVerifier;

/// The name of the chain among read models.
pub const AUDIT: &str = "audit";

/// SHA-256 (FIPS 180-4) of some text, in hexadecimal.
pub fn hash(text: &[u8]) -> String {
    let digits = |byte: &u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16));
    let digest = Sha256::digest(text);
    digest.iter().flat_map(digits).flatten().collect()
}

/// The hash of an event in RFC 8785 form.
pub fn hash_of(event: &Value) -> serde_json::Result<String> {
    Ok(hash(&serde_json_canonicalizer::to_vec(event)?))
}

/// The hash of an event of the chain, computed without the hash that the event contains.
fn hash_in_chain(event: &Value) -> serde_json::Result<String> {
    let mut event = event.clone();
    if let Some(link) = event
        .pointer_mut("/data/chain")
        .and_then(Value::as_object_mut)
    {
        link.remove("hash");
    }
    hash_of(&event)
}

/// Appends an operation's event to the outbox as the next of the chain. The end of the chain stays locked
/// until the transaction ends, so that events are stored and published in the order of the chain.
pub async fn append(
    tx: &mut PgConnection,
    broker: &Broker,
    outgoing: Outgoing,
) -> Result<(), Error> {
    let end = chain::lock(tx).await?;
    let previous = match end.hash {
        Some(hash) => hash,
        None => anchor(tx, broker).await?,
    };
    let mut link = LinkV1 {
        number: end.number + 1,
        previous,
        hash: String::new(),
    };
    let mut hashed = Ok(());
    let outgoing = outgoing.amended(|envelope| {
        hashed = add_link(&mut link, envelope);
    })?;
    hashed?;
    chain::set_end(tx, link.number, &link.hash).await?;
    outbox::append(tx, &[outgoing]).await?;
    Ok(())
}

/// Writes the link into its event, with the resulting hash.
fn add_link(link: &mut LinkV1, envelope: &mut tiffin_events::Envelope) -> serde_json::Result<()> {
    envelope.data["chain"] = serde_json::to_value(&*link)?;
    link.hash = hash_in_chain(&serde_json::to_value(&*envelope)?)?;
    envelope.data["chain"]["hash"] = link.hash.clone().into();
    Ok(())
}

/// The anchor: the hash of the events from before the chain, in the stream and in the outbox. If the broker
/// has lost the stream, the outbox has all events that will be republished.
async fn anchor(tx: &mut PgConnection, broker: &Broker) -> Result<String, Error> {
    let mut verifier = ChainVerifier::default();
    if !broker.holds(Stream::Operations).await? {
        for event in chain::appended(tx).await? {
            verifier.add_unchained(&event)?;
        }
        return Ok(verifier.anchor());
    }
    let mut window = read::open(broker, Stream::Operations, None, 1, u64::MAX).await?;
    loop {
        let batch = window.next().await?;
        if batch.is_empty() {
            break;
        }
        for logged in &batch {
            verifier.add_unchained(&logged.envelope)?;
        }
    }
    for event in chain::unpublished(tx).await? {
        verifier.add_unchained(&event)?;
    }
    Ok(verifier.anchor())
}
