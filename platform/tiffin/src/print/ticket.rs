//! A ticket on 80 mm paper.

use serde::Deserialize;
use uuid::Uuid;

use super::{
    code_page::printable,
    escpos::{Align, COLUMNS, Escpos, Style},
};

/// A ticket to print, as the order service hands it out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ticket {
    #[serde(rename = "_id")]
    pub id: Uuid,
    kind: String,
    restaurant_name: String,
    pub code: String,
    more: usize,
    placed_at: String,
    due_at: String,
    customer: Option<String>,
    is_paid: bool,
    lines: Vec<Line>,
}

#[derive(Debug, Deserialize)]
struct Line {
    quantity: i32,
    dish: String,
    /// The customer's words to the kitchen about it. A platform of the release before sends none.
    note: Option<String>,
}

const PLAIN: Style = Style {
    align: Align::Left,
    bold: false,
    size: 1,
};
const NAME: Style = Style {
    align: Align::Center,
    bold: true,
    size: 1,
};
const TITLE: Style = Style { size: 2, ..NAME };
const DISH: Style = Style {
    align: Align::Left,
    ..TITLE
};
const NOTE: Style = Style { size: 1, ..DISH };

impl Ticket {
    /// The bytes for a printer. Dishes are the largest thing, each with its note below it.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Escpos::new();
        let title = match self.kind.as_str() {
            "reprint" => Some("REPRINT"),
            "added" => Some("ADDED"),
            _ => None,
        };
        if let Some(title) = title {
            out.style(TITLE);
            out.line(title);
        }
        out.style(NAME);
        for line in wrap("", &self.restaurant_name, COLUMNS) {
            out.line(&line);
        }
        out.style(TITLE);
        out.line(&match self.more {
            0 => self.code.clone(),
            more => format!("{} +{more}", self.code),
        });
        out.style(PLAIN);
        let placed = format!("Placed {}", self.placed_at);
        out.line(&format!(
            "{placed:<24}{:>24}",
            format!("Due {}", self.due_at)
        ));
        if let Some(customer) = &self.customer {
            for line in wrap("", customer, COLUMNS) {
                out.line(&line);
            }
        }
        out.line(&"-".repeat(COLUMNS));
        for Line {
            quantity,
            dish,
            note,
        } in &self.lines
        {
            out.style(DISH);
            for line in wrap(&format!("{quantity} x "), dish, COLUMNS / 2) {
                out.line(&line);
            }
            let Some(note) = note else { continue };
            out.style(NOTE);
            let note = note.lines().filter(|line| !line.trim().is_empty());
            for line in note.flat_map(|line| wrap(">> ", line, COLUMNS)) {
                out.line(&line);
            }
        }
        out.style(PLAIN);
        out.line(&"-".repeat(COLUMNS));
        out.style(TITLE);
        out.line(if self.is_paid { "PAID" } else { "NOT PAID" });
        out.cut()
    }
}

/// The lines of a text that begins with a prefix; further ones are indented by it. Words that are wider than a line are
/// broken.
fn wrap(prefix: &str, text: &str, width: usize) -> Vec<String> {
    let indent = " ".repeat(prefix.len());
    let room = width - prefix.len();
    let mut lines = vec![prefix.to_owned()];
    let mut used = 0;
    for word in printable(text).split_whitespace() {
        let mut letters: Vec<char> = word.chars().collect();
        let mut gap = usize::from(used > 0);
        if used + gap + letters.len() > room && letters.len() <= room && used > 0 {
            lines.push(indent.clone());
            (used, gap) = (0, 0);
        }
        while !letters.is_empty() {
            if used + gap >= room {
                lines.push(indent.clone());
                (used, gap) = (0, 0);
            }
            let part = letters.len().min(room - used - gap);
            if let Some(line) = lines.last_mut() {
                line.push_str(&" ".repeat(gap));
                line.extend(letters.drain(..part));
            }
            used += gap + part;
            gap = 0;
        }
    }
    lines
}

#[cfg(test)]
#[path = "ticket_tests.rs"]
mod tests;
