//! The printer: its address, its state, and a ticket on its way there.

use std::{
    fmt,
    fs::{File, OpenOptions},
    io::{self, ErrorKind, Read, Write},
    net::{TcpStream, ToSocketAddrs},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::fs::OpenOptionsExt,
    },
    path::PathBuf,
    str::FromStr,
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::{Deserialize, Serialize};

use super::escpos;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The time in which a printer that answers at all tells its state.
const STATE_TIMEOUT: Duration = Duration::from_millis(1500);
/// The longest time in which a printer takes no byte.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// The time in which a printer that knows process ids answers with one.
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(10);
/// The time for a printer that does not.
const TURN_TIMEOUT: Duration = Duration::from_secs(20);

/// `tcp://192.168.1.50:9100` or `usb:/dev/usb/lp0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printer {
    /// Host and port.
    Tcp(String, u16),
    /// The device file.
    Usb(PathBuf),
}

/// The reason why a ticket is not on paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    NoPaper,
    CoverOpen,
    PrinterFault,
    PrinterAway,
    Unconfirmed,
    Interrupted,
}

/// The result of printing a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Printout {
    Printed,
    /// No byte went to the printer.
    Unsent(Problem),
    /// The ticket may have been printed.
    Doubtful(Problem),
}

trait Device: Read + Write + AsFd + Send {}
impl Device for TcpStream {}
impl Device for File {}

/// A printer that is ready.
pub struct Connection {
    device: Box<dyn Device>,
    /// False for a printer that never answers. It counts as having printed what it has taken.
    answers: bool,
    /// Answers to an earlier agent, which the printer still held.
    left_over: Vec<u8>,
}

impl FromStr for Printer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("usb:").filter(|path| !path.is_empty()) {
            return Ok(Self::Usb(path.into()));
        }
        let wrong = || format!("{text} is neither tcp://HOST:PORT nor usb:/dev/usb/lp0");
        let address = text.strip_prefix("tcp://").ok_or_else(wrong)?;
        let (host, port) = address.rsplit_once(':').unwrap_or((address, "9100"));
        let port = port.parse().map_err(|_| wrong())?;
        match host {
            "" => Err(wrong()),
            _ => Ok(Self::Tcp(host.trim_matches(['[', ']']).to_owned(), port)),
        }
    }
}

impl fmt::Display for Printer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(host, port) => write!(f, "tcp://{host}:{port}"),
            Self::Usb(path) => write!(f, "usb:{}", path.display()),
        }
    }
}

impl Printer {
    /// Connects to the printer if it is ready to print. One that `answers` and is silent is not: it serves another
    /// connection, and may lose what it is sent meanwhile.
    pub fn connect(&self, answers: bool) -> Result<Connection, Problem> {
        let device = self.open().map_err(|_| Problem::PrinterAway)?;
        let mut connection = Connection {
            device,
            answers: false,
            left_over: Vec::new(),
        };
        match connection.ask_state().map_err(|_| Problem::PrinterAway)? {
            Some(problem) => Err(problem),
            None if answers && !connection.answers => Err(Problem::PrinterAway),
            None => Ok(connection),
        }
    }

    fn open(&self) -> io::Result<Box<dyn Device>> {
        match self {
            Self::Tcp(host, port) => {
                let mut addresses = (host.as_str(), *port).to_socket_addrs()?;
                let address = addresses.next().ok_or(ErrorKind::NotFound)?;
                let stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT)?;
                stream.set_nonblocking(true)?;
                stream.set_nodelay(true)?;
                Ok(Box::new(stream))
            }
            Self::Usb(path) => {
                let mut options = OpenOptions::new();
                let options = options.read(true).write(true);
                let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
                Ok(Box::new(options.custom_flags(flags).open(path)?))
            }
        }
    }
}

impl Connection {
    /// The printer's problem, if it names one.
    fn ask_state(&mut self) -> io::Result<Option<Problem>> {
        self.write(&escpos::ASK_STATE).map_err(|(_, error)| error)?;
        let until = Instant::now() + STATE_TIMEOUT;
        let mut states = Vec::new();
        while states.len() < 2 {
            let Some(received) = self.receive(until)? else {
                break;
            };
            let (state, other): (Vec<u8>, Vec<u8>) = received
                .into_iter()
                .partition(|byte| escpos::is_state(*byte));
            states.extend(state);
            self.left_over.extend(other);
        }
        self.answers |= !states.is_empty();
        Ok(match states.as_slice() {
            [_, paper, ..] if paper & 0x60 != 0 => Some(Problem::NoPaper),
            [offline, ..] if offline & 0x04 != 0 => Some(Problem::CoverOpen),
            [offline, ..] if offline & 0x20 != 0 => Some(Problem::NoPaper),
            [offline, ..] if offline & 0x40 != 0 => Some(Problem::PrinterFault),
            _ => None,
        })
    }

    /// True if the printer has answered with its state.
    pub const fn answers(&self) -> bool {
        self.answers
    }

    /// True if the printer still held its answer to a ticket that an earlier agent sent.
    pub fn has_confirmed(&self, id: [u8; 4]) -> bool {
        contains(&self.left_over, &escpos::process_id(id))
    }

    /// Prints a ticket. `id` is in the printer's answer.
    pub fn print(mut self, ticket: &[u8], id: [u8; 4]) -> Printout {
        let mut bytes = ticket.to_vec();
        if self.answers {
            bytes.extend(escpos::ask_process_id(id));
        }
        match self.write(&bytes) {
            Ok(()) if self.answers => self
                .confirm(id)
                .unwrap_or(Printout::Doubtful(Problem::PrinterAway)),
            Ok(()) => Printout::Printed,
            Err((0, _)) => Printout::Unsent(Problem::PrinterAway),
            Err(_) => Printout::Doubtful(self.problem(Problem::PrinterAway)),
        }
    }

    /// Waits for the answer that follows the ticket.
    fn confirm(&mut self, id: [u8; 4]) -> io::Result<Printout> {
        let expected = escpos::process_id(id);
        let until = Instant::now() + CONFIRM_TIMEOUT;
        let mut received = Vec::new();
        while let Some(more) = self.receive(until)? {
            received.extend(more);
            if contains(&received, &expected) {
                return Ok(Printout::Printed);
            }
        }
        // It knows no process ids, or has not printed the ticket yet.
        self.write(&escpos::ASK_IN_TURN)
            .map_err(|(_, error)| error)?;
        let until = Instant::now() + TURN_TIMEOUT;
        while let Some(received) = self.receive(until)? {
            if received.iter().any(|byte| escpos::is_turn(*byte)) {
                return Ok(Printout::Printed);
            }
        }
        Ok(Printout::Doubtful(self.problem(Problem::Unconfirmed)))
    }

    /// The problem that the printer names, or another one.
    fn problem(&mut self, otherwise: Problem) -> Problem {
        self.ask_state().ok().flatten().unwrap_or(otherwise)
    }

    /// Writes everything and waits until the device has taken it; otherwise the number of bytes that may have gone out.
    fn write(&mut self, mut bytes: &[u8]) -> Result<(), (usize, io::Error)> {
        let length = bytes.len();
        let mut until = Instant::now() + WRITE_TIMEOUT;
        while !bytes.is_empty() {
            match self.device.write(bytes) {
                Ok(0) => return Err((length - bytes.len(), ErrorKind::WriteZero.into())),
                Ok(written) => {
                    bytes = &bytes[written..];
                    until = Instant::now() + WRITE_TIMEOUT;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let is_ready = wait(self.device.as_fd(), PollFlags::OUT, until);
                    is_ready.map_err(|error| (length - bytes.len(), error))?;
                }
                Err(error) => return Err((length - bytes.len(), error)),
            }
        }
        // A USB printer's last transfer ends with the file.
        wait(self.device.as_fd(), PollFlags::OUT, until).map_err(|error| (length, error))
    }

    /// The bytes that arrive next; none at the time given.
    fn receive(&mut self, until: Instant) -> io::Result<Option<Vec<u8>>> {
        let mut buffer = [0; 256];
        loop {
            match self.device.read(&mut buffer) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(read) => return Ok(Some(buffer[..read].to_vec())),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A USB printer with one direction.
                Err(error) if error.kind() == ErrorKind::InvalidInput => return Ok(None),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    match wait(self.device.as_fd(), PollFlags::IN, until) {
                        Err(error) if error.kind() == ErrorKind::TimedOut => return Ok(None),
                        waited => waited?,
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
}

fn wait(device: BorrowedFd<'_>, flags: PollFlags, until: Instant) -> io::Result<()> {
    let left = until.saturating_duration_since(Instant::now());
    let timeout = Timespec {
        tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: left.subsec_nanos().into(),
    };
    match poll(
        &mut [PollFd::from_borrowed_fd(device, flags)],
        Some(&timeout),
    ) {
        Ok(0) => Err(ErrorKind::TimedOut.into()),
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

impl Problem {
    /// The problem in words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::NoPaper => "the printer has no paper",
            Self::CoverOpen => "the printer's cover is open",
            Self::PrinterFault => "the printer reports an error",
            Self::PrinterAway => "the printer can't be reached",
            Self::Unconfirmed => "the printer did not confirm it",
            Self::Interrupted => "the agent was stopped while it printed",
        }
    }
}

#[cfg(test)]
#[path = "printer_tests.rs"]
mod tests;
