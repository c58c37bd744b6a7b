//! A read model: the tables that are rebuilt together, and the consumers that write to them.

use super::refusal::Refusal;
use crate::Consumer;

/// The read model of a consumer: its tables, and all consumers that write to them.
pub(super) struct Model<'a> {
    pub consumers: Vec<&'a Consumer>,
    pub tables: Vec<&'static str>,
}

impl<'a> Model<'a> {
    pub(super) fn of(consumers: &'a [Consumer], consumer: &Consumer) -> Result<Self, Refusal> {
        if consumer.tables.is_empty() {
            return Err(Refusal::NoReadModel(consumer.name.clone()));
        }
        let mut tables: Vec<&'static str> = consumer.tables.to_vec();
        let mut members: Vec<&Consumer> = Vec::new();
        // A consumer that shares a table belongs to it, and so do its other tables.
        while let Some(next) = consumers.iter().find(|one| {
            let shares = one.tables.iter().any(|table| tables.contains(table));
            shares && !members.iter().any(|member| member.name == one.name)
        }) {
            members.push(next);
            for table in next.tables {
                if !tables.contains(table) {
                    tables.push(table);
                }
            }
        }
        members.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self {
            consumers: members,
            tables,
        })
    }

    /// The name that its operations carry.
    pub(super) fn name(&self) -> &str {
        self.consumers.first().map_or("", |first| &first.name)
    }

    /// The prefix of its operations' schemas.
    pub(super) fn schemas(&self) -> String {
        format!("rebuild_{}_", self.name().to_ascii_lowercase())
    }
}
