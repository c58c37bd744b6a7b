//! Output: data on standard output as tables or JSON, notes on standard error.

use std::io::{self, Write};

use anyhow::Result;
use console::{StyledObject, Term, style};
use serde::Serialize;

use super::table::Table;

#[derive(Debug)]
pub struct Output {
    pub json: bool,
    /// The terminal's columns; `None` where standard output is none.
    pub width: Option<usize>,
    out: io::Stdout,
}

impl Output {
    pub fn new(json: bool) -> Self {
        let size = Term::stdout().size_checked();
        Self {
            json,
            width: size.map(|(_, columns)| usize::from(columns)),
            out: io::stdout(),
        }
    }

    /// One line of JSON.
    pub fn object(&mut self, object: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_vec(object)?;
        line.push(b'\n');
        self.bytes(&line)
    }

    /// A line for people.
    pub fn line(&mut self, line: impl AsRef<str>) -> Result<()> {
        let line = format!("{}\n", line.as_ref());
        self.bytes(line.as_bytes())
    }

    pub fn table(&mut self, table: &Table) -> Result<()> {
        let text = table.render(self.width);
        self.bytes(text.as_bytes())
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let mut out = self.out.lock();
        out.write_all(bytes)?;
        Ok(out.flush()?)
    }

    /// Prints the result of something done at once.
    pub fn done(&mut self, answer: &impl Serialize, message: &str) -> Result<()> {
        if self.json {
            self.object(answer)
        } else {
            self.line(message)
        }
    }
}

/// Prints a line for the person at the terminal; it is no data.
pub fn note(message: impl AsRef<str>) {
    // A closed terminal is no reason to stop.
    let _ = writeln!(io::stderr(), "{}", message.as_ref());
}

/// A state word in its colour.
pub fn state(word: &str) -> StyledObject<&str> {
    match word {
        "done" | "equal" => style(word).green(),
        "running" => style(word).cyan(),
        "paused" => style(word).yellow(),
        "failed" | "cancelled" | "differs" => style(word).red(),
        _ => style(word),
    }
}

/// A number, in a colour if it is not 0.
pub fn highlight_nonzero(number: impl Into<i128>) -> String {
    let number = number.into();
    if number == 0 {
        style("0").dim().to_string()
    } else {
        style(thousands(number)).yellow().to_string()
    }
}

/// `1,234,567`.
pub fn thousands(number: impl Into<i128>) -> String {
    let number = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 {
        text.insert(0, '-');
    }
    text
}

/// A time span for people: `120 ms`, `4.2 s`, `3 min`, `5 h`, `2 d`.
pub fn span(seconds: f64) -> String {
    match seconds {
        s if s < 0.0005 => "0 ms".to_owned(),
        s if s < 1.0 => format!("{:.0} ms", s * 1_000.0),
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3_600.0 => format!("{:.0} min", s / 60.0),
        s if s < 86_400.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} d", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_spans_read_as_people_write_them() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(-1_000), "-1,000");
        assert_eq!(thousands(999), "999");
        assert_eq!(span(0.0), "0 ms");
        assert_eq!(span(0.12), "120 ms");
        assert_eq!(span(4.24), "4.2 s");
        assert_eq!(span(7_200.0), "2.0 h");
    }
}
