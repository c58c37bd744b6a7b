//! Columns that line up, as `kubectl` and `ps` print them: to be read, and to be cut by `awk`.

use std::borrow::Cow;

use console::{Alignment, measure_text_width, pad_str, style, truncate_str};

const GAP: &str = "  ";

#[derive(Debug)]
pub struct Table {
    heads: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A head that begins with `>` is that of a column of numbers.
    pub fn new(heads: &[&'static str]) -> Self {
        Self {
            heads: heads.to_vec(),
            rows: Vec::new(),
        }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The text; lines are cut at `width`, the columns of a terminal.
    pub fn render(&self, width: Option<usize>) -> String {
        let heads: Vec<String> = self
            .heads
            .iter()
            .map(|head| style(head.trim_start_matches('>')).bold().to_string())
            .collect();
        let lines = || std::iter::once(&heads).chain(&self.rows);
        let widths: Vec<usize> = (0..self.heads.len())
            .map(|column| {
                let cells = lines().filter_map(|cells| cells.get(column));
                cells
                    .map(|cell| measure_text_width(cell))
                    .max()
                    .unwrap_or_default()
            })
            .collect();
        lines()
            .map(|cells| self.line(cells, &widths, width))
            .collect()
    }

    fn line(&self, cells: &[String], widths: &[usize], width: Option<usize>) -> String {
        let padded: Vec<Cow<'_, str>> = cells
            .iter()
            .zip(widths)
            .zip(&self.heads)
            .map(|((cell, width), head)| {
                let side = if head.starts_with('>') {
                    Alignment::Right
                } else {
                    Alignment::Left
                };
                pad_str(cell, *width, side, None)
            })
            .collect();
        let line = padded.join(GAP);
        let line = line.trim_end();
        let cut = width.map_or(Cow::Borrowed(line), |width| truncate_str(line, width, "…"));
        format!("{cut}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_end_with_the_terminal() {
        let mut table = Table::new(&["STREAM", ">MESSAGES", "NOTE"]);
        table.row(["ORDERS".into(), "7".into(), "first".into()]);
        table.row(["DELIVERIES".into(), "1,200".into(), "second".into()]);
        let text = table.render(None);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "ORDERS             7  first");
        assert_eq!(lines[2], "DELIVERIES     1,200  second");
        let cut = table.render(Some(12));
        assert!(
            cut.lines().all(|line| measure_text_width(line) <= 12),
            "{cut}"
        );
    }
}
