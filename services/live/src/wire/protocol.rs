//! The server's side of the NATS client protocol, read without copying.

use memchr::memchr;
use tiffin_events::IMPORT_HEADER;

/// The longest line a server sends: INFO may be several kilobytes.
const MAX_LINE: usize = 64 * 1024;
/// The largest message: the most that a server's `max_payload` can be set to.
const MAX_MESSAGE: usize = 64 * 1024 * 1024;

/// One operation.
#[derive(Debug, PartialEq, Eq)]
pub enum Op<'a> {
    Message(Message<'a>),
    Ping,
    Pong,
    /// A description of the server and its cluster, as JSON.
    Info(&'a [u8]),
    /// `+OK`: nothing to do.
    Ok,
    /// `-ERR`, with what is wrong.
    Error(&'a [u8]),
}

/// A delivered message.
#[derive(Debug, PartialEq, Eq)]
pub struct Message<'a> {
    /// Our number of the subscription.
    pub subscription: u64,
    pub subject: &'a [u8],
    /// `NATS/1.0\r\nName: value\r\n…`; empty where there are none.
    pub headers: &'a [u8],
    pub payload: &'a [u8],
}

impl<'a> Message<'a> {
    /// A header's value, by its exact name.
    pub fn header(&self, name: &str) -> Option<&'a [u8]> {
        self.headers.split(|byte| *byte == b'\n').find_map(|line| {
            let value = line.strip_prefix(name.as_bytes())?.strip_prefix(b":")?;
            Some(value.trim_ascii())
        })
    }

    /// True if it is imported history, which no watcher gets.
    pub fn is_imported(&self) -> bool {
        !self.headers.is_empty() && self.header(IMPORT_HEADER).is_some()
    }
}

/// Bytes that are not the NATS protocol.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server sent something that is not the NATS protocol")]
pub struct ProtocolError;

/// The first operation of `input` and how many bytes it takes; `None` where it is not whole yet.
pub fn parse(input: &[u8]) -> Result<Option<(Op<'_>, usize)>, ProtocolError> {
    let Some(end) = memchr(b'\n', input) else {
        return if input.len() > MAX_LINE {
            Err(ProtocolError)
        } else {
            Ok(None)
        };
    };
    let line = input[..end].strip_suffix(b"\r").unwrap_or(&input[..end]);
    let after = end + 1;
    if let Some(arguments) = line.strip_prefix(b"MSG ") {
        return message(input, after, arguments, false);
    }
    if let Some(arguments) = line.strip_prefix(b"HMSG ") {
        return message(input, after, arguments, true);
    }
    let op = match line {
        b"PING" => Op::Ping,
        b"PONG" => Op::Pong,
        line if line.starts_with(b"-ERR") => Op::Error(line[4..].trim_ascii()),
        b"+OK" => Op::Ok,
        line => match line.strip_prefix(b"INFO ") {
            Some(info) => Op::Info(info),
            None => return Err(ProtocolError),
        },
    };
    Ok(Some((op, after)))
}

/// `<subject> <sid> [reply] [header bytes] <total bytes>`, then the bytes.
fn message<'a>(
    input: &'a [u8],
    after: usize,
    arguments: &'a [u8],
    has_headers: bool,
) -> Result<Option<(Op<'a>, usize)>, ProtocolError> {
    let mut words = arguments.split(|byte| *byte == b' ');
    let subject = words.next().ok_or(ProtocolError)?;
    let subscription = number(words.next().ok_or(ProtocolError)?)?;
    let mut last = words.next().ok_or(ProtocolError)?;
    let mut before = last;
    for word in words {
        (before, last) = (last, word);
    }
    let total = usize::try_from(number(last)?).map_err(|_| ProtocolError)?;
    if total > MAX_MESSAGE {
        return Err(ProtocolError);
    }
    let heading = if has_headers {
        usize::try_from(number(before)?).map_err(|_| ProtocolError)?
    } else {
        0
    };
    let end = after + total;
    if input.len() < end + 2 {
        return Ok(None);
    }
    let body = &input[after..end];
    if heading > total || &input[end..end + 2] != b"\r\n" {
        return Err(ProtocolError);
    }
    let (headers, payload) = body.split_at(heading);
    let message = Message {
        subscription,
        subject,
        headers,
        payload,
    };
    Ok(Some((Op::Message(message), end + 2)))
}

fn number(digits: &[u8]) -> Result<u64, ProtocolError> {
    if digits.is_empty() || digits.len() > 18 {
        return Err(ProtocolError);
    }
    digits.iter().try_fold(0, |sum, digit| match digit {
        b'0'..=b'9' => Ok(sum * 10 + u64::from(digit - b'0')),
        _ => Err(ProtocolError),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivered<'a>(
        subscription: u64,
        headers: &'a [u8],
        payload: &'a [u8],
        length: usize,
    ) -> (Op<'a>, usize) {
        let message = Message {
            subscription,
            subject: b"a.b",
            headers,
            payload,
        };
        (Op::Message(message), length)
    }

    #[test]
    fn messages_with_and_without_reply_and_headers() {
        let plain = b"MSG a.b 7 5\r\nhello\r\nPING\r\n";
        assert_eq!(parse(plain), Ok(Some(delivered(7, b"", b"hello", 20))));
        let reply = b"MSG a.b 7 in.box 5\r\nhello\r\n";
        assert_eq!(parse(reply), Ok(Some(delivered(7, b"", b"hello", 27))));
        let headers = b"HMSG a.b 9 in.box 24 29\r\nNATS/1.0\r\nNats-X: 12\r\n\r\nhello\r\n";
        let expected = delivered(
            9,
            b"NATS/1.0\r\nNats-X: 12\r\n\r\n",
            b"hello",
            headers.len(),
        );
        assert_eq!(parse(headers), Ok(Some(expected)));
        let Ok(Some((Op::Message(message), _))) = parse(headers) else {
            panic!("a message")
        };
        assert_eq!(message.header("Nats-X"), Some(&b"12"[..]));
        assert_eq!(message.header("Nats"), None);
    }

    #[test]
    fn nothing_is_taken_before_it_is_whole() {
        let whole = b"HMSG a.b 9 24 29\r\nNATS/1.0\r\nNats-X: 12\r\n\r\nhello\r\n";
        for length in 0..whole.len() {
            assert_eq!(parse(&whole[..length]), Ok(None), "{length}");
        }
    }

    #[test]
    fn words_of_one_line() {
        assert_eq!(parse(b"PING\r\n"), Ok(Some((Op::Ping, 6))));
        assert_eq!(parse(b"PONG\r\n"), Ok(Some((Op::Pong, 6))));
        assert_eq!(parse(b"+OK\r\n"), Ok(Some((Op::Ok, 5))));
        assert_eq!(parse(b"INFO {}\r\n"), Ok(Some((Op::Info(b"{}"), 9))));
        assert_eq!(
            parse(b"-ERR 'Stale Connection'\r\n"),
            Ok(Some((Op::Error(b"'Stale Connection'"), 25)))
        );
    }

    #[test]
    fn anything_else_is_an_error() {
        for bytes in [
            &b"HELLO\r\n"[..],
            b"MSG a.b\r\n",
            b"MSG a.b x 5\r\n",
            b"MSG a.b 7 -1\r\n",
            b"MSG a.b 7 2\r\nhello\r\n",
            b"MSG a.b 7 67108865\r\nhello",
            b"HMSG a.b 7 9 2\r\nab\r\n",
        ] {
            assert_eq!(parse(bytes), Err(ProtocolError), "{bytes:?}");
        }
    }
}
