//! The table, read.

use serde_json::Value;

const TABLE: &str = include_str!("table.md");

/// The columns, in order.
pub const CALLERS: [&str; 10] = [
    "anonymous",
    "unverified",
    "blocked",
    "customer",
    "owner",
    "other owner",
    "driver",
    "other driver",
    "admin",
    "operator",
];

pub const TARGETS: [&str; 3] = ["own", "other's", "absent"];

/// The role of a column's caller; strangers have none.
pub const fn role(column: usize) -> Option<&'static str> {
    match column {
        3 => Some("customer"),
        4 | 5 => Some("restaurant"),
        6 | 7 => Some("delivery"),
        8 => Some("admin"),
        9 => Some("operator"),
        _ => None,
    }
}

/// One operation.
pub struct OperationRow {
    /// `METHOD /path`.
    pub operation: String,
    /// The kind of thing that it is about; empty if there is none.
    pub target: String,
    cells: Vec<Vec<u16>>,
    /// Callers who may, but have nothing to do it to.
    idle: Vec<bool>,
    pub body: String,
}

pub fn read() -> Vec<OperationRow> {
    let rows = TABLE.lines().filter(|line| line.starts_with("| "));
    rows.skip(1).map(OperationRow::parse).collect()
}

impl OperationRow {
    fn parse(line: &str) -> Self {
        let words: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(words.len(), CALLERS.len() + 3, "{line}");
        let cell = |cell: &&str| -> Vec<u16> {
            let statuses = cell.trim_end_matches('*').split('/').map(str::parse);
            statuses
                .collect::<Result<_, _>>()
                .unwrap_or_else(|_| panic!("{cell:?} in {line}"))
        };
        let columns = &words[2..=CALLERS.len() + 1];
        Self {
            operation: words[0].to_owned(),
            target: words[1].to_owned(),
            cells: columns.iter().map(cell).collect(),
            idle: columns.iter().map(|cell| cell.ends_with('*')).collect(),
            body: words[CALLERS.len() + 2].to_owned(),
        }
    }

    /// The number of targets to try.
    pub fn width(&self) -> usize {
        let three = self.cells.iter().any(|cell| cell.len() == TARGETS.len());
        if three { TARGETS.len() } else { 1 }
    }

    pub fn expected(&self, caller: usize, target: usize) -> u16 {
        let cell = &self.cells[caller];
        cell.get(target).copied().unwrap_or(cell[0])
    }
}

/// The roles that `x-roles` names, and only those, get through somewhere in an operation's rows.
pub fn agree(rows: &[&OperationRow], roles: &[Value]) {
    let named = |role: &str| roles.iter().any(|one| one == role);
    for (column, caller) in CALLERS.iter().enumerate() {
        let mut statuses = rows.iter().flat_map(|row| &row.cells[column]);
        let gets_through = statuses.any(|status| *status < 400 || *status == 409)
            || rows.iter().any(|row| row.idle[column]);
        let may = match role(column) {
            _ if named("*") => continue,
            Some(role) => named(role),
            // Some of what a role may do, they may before their address is proven.
            None => gets_through && *caller == "unverified",
        };
        assert!(
            may == gets_through,
            "{}: x-roles and the table disagree on {caller}",
            rows[0].operation
        );
    }
}
