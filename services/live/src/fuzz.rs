//! The targets of made-up bytes: the frames of clients and the protocol of the broker. Each entry takes any
//! bytes and fails if a promise does not hold. `cargo xtask inputs` runs for hours, the tests below for a
//! second.

use tiffin_events::live::{ClientFrame, Topic};
use time::macros::datetime;

use crate::{
    hub,
    positions::check,
    render,
    topic_key::TopicKey,
    wire::{
        frame::{self, Decoder, Encoder, Incoming, Malformed},
        protocol::{self, Op},
    },
};

/// As in [`crate::Limits`].
const LARGEST: usize = 64 * 1024;
/// The longest header of a client's frame: the length in eight bytes and a mask in four.
const HEADER: usize = 14;

/// A socket's bytes. The first one decides: the rest arrives as it is, in pieces of some size, or as a
/// message in a correct frame.
///
/// # Panics
///
/// If a promise does not hold.
pub fn frame(input: &[u8]) {
    let Some((how, rest)) = input.split_first() else {
        return;
    };
    let piece = usize::from(how >> 1) + 1;
    if how & 1 == 0 {
        wire(rest, piece);
    } else {
        message(rest, piece);
    }
}

fn wire(bytes: &[u8], piece: usize) {
    let whole = read([bytes].into_iter());
    let cut = read(bytes.chunks(piece));
    assert_eq!(whole, cut, "read otherwise when it comes in pieces");
    for incoming in whole.0 {
        match incoming {
            Incoming::Text(text) => said(&text),
            Incoming::Ping(payload) => {
                let pong = frame::pong(&payload);
                assert!(pong.len() == payload.len() + 2 && pong.ends_with(&payload));
            }
            Incoming::Binary | Incoming::Pong | Incoming::Close => {}
        }
    }
}

fn message(payload: &[u8], piece: usize) {
    let payload = &payload[..payload.len().min(LARGEST)];
    let sent = frame::client_frame(0x81, payload);
    let (messages, malformed) = read(sent.chunks(piece));
    match std::str::from_utf8(payload) {
        Ok(text) => {
            assert_eq!(messages, [Incoming::Text(text.to_owned())]);
            assert_eq!(malformed, None);
            said(text);
        }
        Err(_) => assert_eq!((messages.len(), malformed), (0, Some(Malformed::NotText))),
    }
}

/// The messages until the end, or until what is wrong.
fn read<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> (Vec<Incoming>, Option<Malformed>) {
    let (mut decoder, mut messages) = (Decoder::default(), Vec::new());
    for piece in pieces {
        if let Err(malformed) = decoder.decode(piece, LARGEST, &mut messages) {
            return (messages, Some(malformed));
        }
        let most = LARGEST * 2 + HEADER;
        assert!(
            decoder.buffered() <= most,
            "holds {} bytes",
            decoder.buffered()
        );
    }
    (messages, None)
}

/// A text, as far as it goes without a hub: to the topic or the positions that it names.
fn said(text: &str) {
    match hub::read_frame(text) {
        Ok(ClientFrame::Watch { topic, .. } | ClientFrame::Unwatch { topic }) => {
            if let Ok(topic) = topic.parse::<Topic>() {
                assert_eq!(topic.to_string().parse::<Topic>().ok(), Some(topic));
            }
        }
        Ok(ClientFrame::Position(one)) => check(&one),
        Ok(ClientFrame::Positions { positions }) => positions.iter().for_each(check),
        Ok(ClientFrame::Auth { .. }) => {}
        Err(refusal) => {
            let sentence = refusal.to_string();
            assert!(sentence.ends_with('.'), "{sentence:?} is no sentence");
        }
    }
}

fn check(one: &tiffin_events::live::DevicePosition) {
    let now = datetime!(2026-11-21 09:10 UTC);
    if check::check(one, now).is_ok() {
        assert!(one.lat.abs() <= 90.0 && one.lng.abs() <= 180.0, "{one:?}");
        let (day, minute) = (time::Duration::DAY, time::Duration::MINUTE);
        assert!(one.at >= now - day && one.at <= now + minute, "{one:?}");
    }
}

/// The broker's bytes: one operation after the other, and every reader of a message on its payload.
///
/// # Panics
///
/// If a promise does not hold.
pub fn protocol(input: &[u8]) {
    let mut rest = input;
    while let Ok(Some((op, used))) = protocol::parse(rest) {
        assert!(used > 0 && used <= rest.len(), "{used} of {}", rest.len());
        let shorter = (0..used.min(16)).chain([used / 2, used - 1]);
        for length in shorter {
            let early = protocol::parse(&rest[..length]);
            assert!(
                !matches!(early, Ok(Some(_))),
                "taken before it was whole: {length} of {used}"
            );
        }
        if let Op::Message(message) = op {
            assert!(message.payload.len() + message.headers.len() + message.subject.len() < used);
            let value = message.header("Nats-Sequence").unwrap_or_default();
            assert!(value.len() <= message.headers.len());
            let _ = message.is_imported();
            published(message.subject, message.payload);
        }
        rest = &rest[used..];
    }
}

/// All that a payload may be read as.
fn published(subject: &[u8], payload: &[u8]) {
    let mut encoder = Encoder::default();
    render::assert_ways_agree(payload);
    let rendered = [
        render::position(&mut encoder, b"{", payload),
        render::hint(&mut encoder, TopicKey::Deliveries, payload),
    ];
    for frame in rendered.into_iter().flatten() {
        assert!(frame.len() > 2 && frame[0] == 0x81);
    }
    let _ = (render::kind(payload), render::replayed(payload));
    let subject = std::str::from_utf8(subject).unwrap_or_default();
    let _ = tiffin_events::subject::delivery_of_position(subject);
}

#[cfg(test)]
mod tests {
    use tiffin_testkit::inputs;

    #[test]
    fn any_bytes_of_a_client_are_a_message_or_say_why_not() {
        inputs::try_all("frame", super::frame);
    }

    #[test]
    fn any_bytes_of_the_broker_are_an_operation_or_an_error() {
        inputs::try_all("protocol", super::protocol);
    }
}
