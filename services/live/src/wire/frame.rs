//! Websocket frames (RFC 6455, section 5). A frame of ours is encoded once for all sockets; decoding a
//! client's needs no buffer between two frames.

use std::{io::Cursor, rc::Rc};

use tokio_tungstenite::tungstenite::protocol::frame::{
    FrameHeader,
    coding::{Control, Data, OpCode},
};

/// One encoded frame, header included. A server's frames carry no mask, so all sockets share it.
pub type Frame = Rc<[u8]>;

const TEXT: u8 = 0x81;
const PING: u8 = 0x89;
const PONG: u8 = 0x8a;
const CLOSE: u8 = 0x88;

/// The longest header of a server's frame.
const MAX_HEADER: usize = 10;
/// The longest payload of a control frame.
const MAX_CONTROL: usize = 125;

/// Builds text frames in its buffer, so that each costs one allocation of its exact size.
#[derive(Debug, Default)]
pub struct Encoder(Vec<u8>);

impl Encoder {
    /// A text frame of what `write` appends.
    pub fn text(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Frame {
        self.0.clear();
        self.0.resize(MAX_HEADER, 0);
        write(&mut self.0);
        let (header, length) = header(TEXT, self.0.len() - MAX_HEADER);
        let start = MAX_HEADER - length;
        self.0[start..MAX_HEADER].copy_from_slice(&header[..length]);
        Rc::from(&self.0[start..])
    }

    /// A text frame of a message as JSON.
    pub fn json(&mut self, message: &impl serde::Serialize) -> Frame {
        self.text(|out| {
            // Our own types into memory: neither can fail.
            let _ = serde_json::to_writer(out, message);
        })
    }
}

fn header(first: u8, payload: usize) -> ([u8; MAX_HEADER], usize) {
    let mut header = [first, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    if payload < 126 {
        header[1] = u8::try_from(payload).unwrap_or_default();
        return (header, 2);
    }
    if let Ok(short) = u16::try_from(payload) {
        header[1] = 126;
        header[2..4].copy_from_slice(&short.to_be_bytes());
        return (header, 4);
    }
    header[1] = 127;
    header[2..].copy_from_slice(&(payload as u64).to_be_bytes());
    (header, MAX_HEADER)
}

pub fn ping() -> Frame {
    Rc::from([PING, 0])
}

pub fn pong(payload: &[u8]) -> Frame {
    control(PONG, payload)
}

/// A close frame with its code and a reason of at most 123 bytes.
pub fn close(code: u16, reason: &str) -> Frame {
    let mut payload = code.to_be_bytes().to_vec();
    payload.extend_from_slice(reason.as_bytes());
    control(CLOSE, &payload)
}

fn control(first: u8, payload: &[u8]) -> Frame {
    let payload = &payload[..payload.len().min(MAX_CONTROL)];
    let mut frame = vec![first, u8::try_from(payload.len()).unwrap_or_default()];
    frame.extend_from_slice(payload);
    Rc::from(frame)
}

/// A message of a client.
#[derive(Debug, PartialEq, Eq)]
pub enum Incoming {
    Text(String),
    Binary,
    Ping(Vec<u8>),
    Pong,
    Close,
}

/// The reason why a connection can't go on: the close code and a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    #[error("Frames from a client have to be masked.")]
    Unmasked,
    #[error("This is not a websocket frame.")]
    Protocol,
    #[error("A text has to be UTF-8.")]
    NotText,
    #[error("A message may have 64 KiB.")]
    TooBig,
}

impl Malformed {
    /// RFC 6455, section 7.4.1.
    pub fn code(self) -> u16 {
        match self {
            Self::Unmasked | Self::Protocol => 1002,
            Self::NotText => 1007,
            Self::TooBig => 1009,
        }
    }
}

/// Reads a client's frames. Between two messages it buffers nothing.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The start of a frame that has not arrived whole.
    partial: Vec<u8>,
    /// The fragments of a message whose last one has not arrived.
    message: Vec<u8>,
    /// The kind of the message under way, if there is one.
    kind: Option<Data>,
}

impl Decoder {
    /// Bytes that wait for the rest of a frame or of a message.
    #[cfg(any(test, fuzzing))]
    pub fn buffered(&self) -> usize {
        self.partial.len() + self.message.len()
    }

    /// Decodes bytes that were read, and appends every message that is whole.
    pub fn decode(
        &mut self,
        bytes: &[u8],
        largest: usize,
        out: &mut Vec<Incoming>,
    ) -> Result<(), Malformed> {
        if self.partial.is_empty() {
            let used = self.frames(bytes, largest, out)?;
            self.partial.extend_from_slice(&bytes[used..]);
            return Ok(());
        }
        let mut buffered = std::mem::take(&mut self.partial);
        buffered.extend_from_slice(bytes);
        let used = self.frames(&buffered, largest, out)?;
        if used < buffered.len() {
            buffered.drain(..used);
            self.partial = buffered;
        }
        Ok(())
    }

    fn frames(
        &mut self,
        bytes: &[u8],
        largest: usize,
        out: &mut Vec<Incoming>,
    ) -> Result<usize, Malformed> {
        let mut used = 0;
        loop {
            let mut cursor = Cursor::new(&bytes[used..]);
            let parsed = FrameHeader::parse(&mut cursor).map_err(|_| Malformed::Protocol)?;
            let Some((header, length)) = parsed else {
                return Ok(used);
            };
            let start = used + usize::try_from(cursor.position()).unwrap_or(usize::MAX);
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            let mask = self.check(&header, length, largest)?;
            let Some(payload) = bytes.get(start..start + length) else {
                return Ok(used);
            };
            let payload = unmasked(payload, mask);
            used = start + length;
            if let Some(message) = self.take(&header, payload)? {
                out.push(message);
            }
        }
    }

    fn check(
        &self,
        header: &FrameHeader,
        length: usize,
        largest: usize,
    ) -> Result<[u8; 4], Malformed> {
        if header.rsv1 || header.rsv2 || header.rsv3 {
            return Err(Malformed::Protocol);
        }
        let fits = match header.opcode {
            OpCode::Control(_) if !header.is_final || length > MAX_CONTROL => {
                return Err(Malformed::Protocol);
            }
            OpCode::Control(_) => true,
            OpCode::Data(Data::Continue) => length <= largest.saturating_sub(self.message.len()),
            OpCode::Data(_) => length <= largest,
        };
        if !fits {
            return Err(Malformed::TooBig);
        }
        header.mask.ok_or(Malformed::Unmasked)
    }

    fn take(
        &mut self,
        header: &FrameHeader,
        payload: Vec<u8>,
    ) -> Result<Option<Incoming>, Malformed> {
        let (kind, payload) = match (header.opcode, self.kind) {
            (OpCode::Control(Control::Ping), _) => return Ok(Some(Incoming::Ping(payload))),
            (OpCode::Control(Control::Pong), _) => return Ok(Some(Incoming::Pong)),
            (OpCode::Control(_), _) => return Ok(Some(Incoming::Close)),
            (OpCode::Data(Data::Continue), Some(kind)) => {
                self.message.extend_from_slice(&payload);
                if !header.is_final {
                    return Ok(None);
                }
                self.kind = None;
                (kind, std::mem::take(&mut self.message))
            }
            (OpCode::Data(kind @ (Data::Text | Data::Binary)), None) => {
                if !header.is_final {
                    self.kind = Some(kind);
                    self.message = payload;
                    return Ok(None);
                }
                (kind, payload)
            }
            (OpCode::Data(_), _) => return Err(Malformed::Protocol),
        };
        if kind == Data::Binary {
            return Ok(Some(Incoming::Binary));
        }
        let text = String::from_utf8(payload).map_err(|_| Malformed::NotText)?;
        Ok(Some(Incoming::Text(text)))
    }
}

fn unmasked(payload: &[u8], mask: [u8; 4]) -> Vec<u8> {
    let bytes = payload.iter().zip(mask.iter().cycle());
    bytes.map(|(byte, mask)| byte ^ mask).collect()
}

/// A frame as a client sends it.
#[cfg(any(test, fuzzing))]
pub fn client_frame(first: u8, payload: &[u8]) -> Vec<u8> {
    const MASK: [u8; 4] = [1, 2, 3, 4];
    let (mut header, length) = header(first, payload.len());
    header[1] |= 0x80;
    [&header[..length], &MASK, &unmasked(payload, MASK)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chunks: &[&[u8]]) -> Result<Vec<Incoming>, Malformed> {
        let (mut decoder, mut out) = (Decoder::default(), Vec::new());
        for chunk in chunks {
            decoder.decode(chunk, 64 * 1024, &mut out)?;
        }
        Ok(out)
    }

    #[test]
    fn a_message_is_read_however_it_is_cut() {
        for size in [0, 1, 125, 126, 4096, 65_536] {
            let text = "x".repeat(size);
            let frame = client_frame(TEXT, text.as_bytes());
            for cut in [1, 2, 3, frame.len() / 2, frame.len()] {
                let (head, tail) = frame.split_at(cut.min(frame.len()));
                assert_eq!(read(&[head, tail]), Ok(vec![Incoming::Text(text.clone())]));
            }
        }
    }

    #[test]
    fn fragments_are_joined_with_a_ping_between_them() {
        let frames = [
            client_frame(0x01, b"ab"),
            client_frame(PING, b"?"),
            client_frame(0x80, b"cd"),
        ]
        .concat();
        let expected = vec![
            Incoming::Ping(b"?".to_vec()),
            Incoming::Text("abcd".to_owned()),
        ];
        assert_eq!(read(&[&frames]), Ok(expected));
    }

    #[test]
    fn what_is_wrong_says_why() {
        let large = client_frame(TEXT, &vec![b'x'; 65_537]);
        let cases: [(&[u8], Malformed); 7] = [
            (&[TEXT, 1, b'x'], Malformed::Unmasked),
            (&client_frame(0xc1, b"x"), Malformed::Protocol),
            (&client_frame(0x83, b"x"), Malformed::Protocol),
            (&client_frame(0x80, b"x"), Malformed::Protocol),
            (&client_frame(0x09, b"x"), Malformed::Protocol),
            (&client_frame(TEXT, &[0xff]), Malformed::NotText),
            (&large[..14], Malformed::TooBig),
        ];
        for (bytes, expected) in cases {
            assert_eq!(read(&[bytes]), Err(expected));
        }
    }

    #[test]
    fn fragments_together_may_not_exceed_the_limit() {
        let half = vec![b'x'; 40_000];
        let frames = [client_frame(0x01, &half), client_frame(0x80, &half)].concat();
        assert_eq!(read(&[&frames]), Err(Malformed::TooBig));
    }

    #[test]
    fn ours_have_the_shortest_header() {
        let mut encoder = Encoder::default();
        for (size, header) in [(5, 2), (125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
            let frame = encoder.text(|out| out.extend(vec![b'x'; size]));
            assert_eq!(frame.len(), size + header);
            assert_eq!(frame[0], TEXT);
            assert_eq!(frame[header - 1..].len(), size + 1);
        }
        assert_eq!(&*close(1001, "bye"), &[CLOSE, 5, 3, 0xe9, b'b', b'y', b'e']);
    }
}
