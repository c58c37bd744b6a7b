//! Commands of ESC/POS, the language of receipt printers.

use super::code_page;

/// The columns of 80 mm paper in the standard size.
pub const COLUMNS: usize = 48;

#[derive(Clone, Copy)]
pub enum Align {
    Left,
    Center,
}

/// A look of text: alignment, weight and size (1 or 2).
#[derive(Clone, Copy)]
pub struct Style {
    pub align: Align,
    pub bold: bool,
    pub size: u8,
}

/// The bytes for a printer, in code page 858.
pub struct Escpos(Vec<u8>);

impl Escpos {
    /// Begins in the state that a printer has after power-on, without double-byte characters.
    pub fn new() -> Self {
        let mut bytes = b"\x1b@".to_vec();
        bytes.extend(b"\x1c.");
        bytes.extend([0x1b, b't', code_page::NUMBER]);
        Self(bytes)
    }

    pub fn style(&mut self, style: Style) {
        let size = style.size - 1;
        self.0.extend([0x1d, b'!', size << 4 | size]);
        self.0.extend([0x1b, b'E', style.bold.into()]);
        let align = match style.align {
            Align::Left => 0,
            Align::Center => 1,
        };
        self.0.extend([0x1b, b'a', align]);
    }

    pub fn line(&mut self, text: &str) {
        self.0.extend(code_page::encode(text));
        self.0.push(b'\n');
    }

    /// Feeds the last line past the cutter and cuts.
    pub fn cut(mut self) -> Vec<u8> {
        self.0.extend(b"\x1bd\x06\x1dV\x00");
        self.0
    }
}

/// Asks for the state of a printer, which answers at once: the cause if it is offline, and the paper.
pub const ASK_STATE: [u8; 6] = [0x10, 0x04, 2, 0x10, 0x04, 4];

/// Asks for the paper's state, which a printer answers once it has printed everything before.
pub const ASK_IN_TURN: [u8; 3] = [0x1d, b'r', 1];

/// Has the printer answer with `id` once it has printed everything before.
pub fn ask_process_id(id: [u8; 4]) -> Vec<u8> {
    [b"\x1d(H\x06\x0000".as_slice(), &id].concat()
}

/// The answer to [`ask_process_id`].
pub fn process_id(id: [u8; 4]) -> Vec<u8> {
    [b"\x37\x22".as_slice(), &id, b"\0"].concat()
}

/// True for each byte of an answer to [`ASK_STATE`], and for no byte of another answer: a process id has letters up to P.
pub const fn is_state(byte: u8) -> bool {
    byte & 0x93 == 0x12
}

/// True for an answer to [`ASK_IN_TURN`].
pub const fn is_turn(byte: u8) -> bool {
    byte & 0x90 == 0
}
