use std::{
    fs::File,
    io::{ErrorKind, Read, Write},
    net::TcpListener,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

const CUT: &[u8] = b"\x1dV\x00";

/// A receipt printer on a TCP port. It records its paper and answers as real ones do.
#[derive(Debug)]
pub struct TestPrinter {
    port: u16,
    shared: Arc<Shared>,
}

/// The behaviour of a printer, as a test sets it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Behaviour {
    #[default]
    Works,
    NoPaper,
    CoverOpen,
    /// It answers nothing.
    Mute,
    /// It knows no process ids and answers in turn.
    WithoutIds,
    /// It takes a byte in this time.
    Slow(Duration),
    /// It stops in a ticket after this many bytes, until the behaviour changes.
    HoldsAt(usize),
    /// It breaks down in a ticket after this many bytes.
    DiesAt(usize),
    /// It keeps its answers until the behaviour changes.
    Withholds,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    behaviour: Behaviour,
    /// The tickets that were cut.
    tickets: Vec<Vec<u8>>,
    /// The bytes of the ticket that is on its way.
    begun: Vec<u8>,
    /// The bytes of tickets without an end.
    torn: Vec<Vec<u8>>,
}

impl TestPrinter {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("the port").port();
        let shared = Arc::<Shared>::default();
        let with = Arc::clone(&shared);
        // A printer has one connection at a time; the next one waits.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = with.serve(stream);
                let mut state = with.lock();
                let begun = std::mem::take(&mut state.begun);
                if !begun.is_empty() {
                    state.torn.push(begun);
                }
            }
        });
        Self { port, shared }
    }

    /// Prints what arrives at this end of a terminal, too, whose other end is the printer's device file.
    pub fn attach(&self, device: File) {
        let shared = Arc::clone(&self.shared);
        thread::spawn(move || drop(shared.serve(device)));
    }

    /// The option of `tiffin print`.
    pub fn address(&self) -> String {
        format!("tcp://127.0.0.1:{}", self.port)
    }

    pub fn behave(&self, behaviour: Behaviour) {
        self.shared.lock().behaviour = behaviour;
        self.shared.changed.notify_all();
    }

    /// The tickets on paper, in order.
    pub fn tickets(&self) -> Vec<Vec<u8>> {
        self.shared.lock().tickets.clone()
    }

    /// The beginnings of tickets that were never cut.
    pub fn torn(&self) -> Vec<Vec<u8>> {
        self.shared.lock().torn.clone()
    }

    /// The number of bytes of the ticket that is on its way.
    pub fn begun(&self) -> usize {
        self.shared.lock().begun.len()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes bytes until the other side ends, or the printer breaks down.
    fn serve(&self, mut stream: impl Read + Write) -> std::io::Result<()> {
        loop {
            let mut command = [0; 1];
            match stream.read_exact(&mut command) {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(()),
                read => read?,
            }
            let [byte] = command;
            if byte == 0x10 {
                let mut rest = [0; 2];
                stream.read_exact(&mut rest)?;
                let answer = self.state_of(rest[1]);
                stream.write_all(&answer)?;
                continue;
            }
            let behaviour = self.lock().behaviour;
            if let Behaviour::Slow(pause) = behaviour {
                thread::sleep(pause);
            }
            let mut state = self.lock();
            state.begun.push(byte);
            let length = state.begun.len();
            if state.behaviour == Behaviour::DiesAt(length) {
                return Ok(());
            }
            while matches!(state.behaviour, Behaviour::HoldsAt(at) if length >= at) {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            self.take(&mut state);
            let answer = answer(&mut state);
            while state.behaviour == Behaviour::Withholds && !answer.is_empty() {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            drop(state);
            stream.write_all(&answer)?;
        }
    }

    fn take(&self, state: &mut State) {
        if state.begun.ends_with(CUT) {
            let ticket = std::mem::take(&mut state.begun);
            state.tickets.push(ticket);
            self.changed.notify_all();
        }
    }

    /// The answer to `DLE EOT`.
    fn state_of(&self, kind: u8) -> Vec<u8> {
        let state = match (kind, self.lock().behaviour) {
            (_, Behaviour::Mute) => return Vec::new(),
            (2, Behaviour::CoverOpen) => 0x04,
            (2, Behaviour::NoPaper) => 0x20,
            (4, Behaviour::NoPaper) => 0x60,
            _ => 0,
        };
        vec![0x12 | state]
    }
}

/// The answer to a command that asks for one, which is not on paper.
fn answer(state: &mut State) -> Vec<u8> {
    let asks_id = state.begun.starts_with(b"\x1d(H") && state.begun.len() == 11;
    let asks_turn = state.begun == b"\x1dr\x01";
    if !asks_id && !asks_turn {
        return Vec::new();
    }
    let command = std::mem::take(&mut state.begun);
    match (state.behaviour, asks_id) {
        (Behaviour::Mute, _) | (Behaviour::WithoutIds, true) => Vec::new(),
        (_, true) => [b"\x37\x22", &command[7..], b"\0"].concat(),
        (_, false) => vec![0],
    }
}
