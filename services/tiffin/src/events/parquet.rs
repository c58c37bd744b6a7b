//! Events as Apache Parquet, for tools that read by column: a row an event, with what its envelope says
//! as columns, and all of it as JSON. <https://parquet.apache.org/docs/file-format/>

use std::{io::Write, mem, sync::Arc};

use anyhow::Result;
use parquet::{
    basic::Compression,
    data_type::{ByteArrayType, DataType, Int64Type},
    errors::ParquetError,
    file::{
        properties::WriterProperties,
        writer::{SerializedFileWriter, SerializedRowGroupWriter},
    },
    schema::parser::parse_message_type,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// Only the place of a message is sure: an operator may have to look at one that is no event.
const SCHEMA: &str = "message event {
    required binary stream (STRING);
    required int64 seq;
    required binary subject (STRING);
    optional binary id (STRING);
    optional binary type (STRING);
    optional binary aggregate (STRING);
    optional int64 sequence;
    optional int64 time (TIMESTAMP(MICROS, true));
    optional binary source (STRING);
    optional binary actor (STRING);
    optional binary correlationid (STRING);
    optional binary causationid (STRING);
    required binary event (JSON);
}";
/// Rows that are held back, to be written together.
const GROUP: usize = 10_000;

/// A line of an export.
#[derive(Deserialize)]
struct Row {
    stream: String,
    seq: i64,
    subject: String,
    event: Box<RawValue>,
}

/// What an envelope says of its event.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Told {
    id: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(rename = "subject")]
    aggregate: Option<String>,
    sequence: Option<i64>,
    time: Option<String>,
    source: Option<String>,
    actor: Option<String>,
    correlationid: Option<String>,
    causationid: Option<String>,
}

impl Told {
    /// Microseconds since 1970.
    fn micros(&self) -> Option<i64> {
        let time = OffsetDateTime::parse(self.time.as_deref()?, &Rfc3339).ok()?;
        i64::try_from(time.unix_timestamp_nanos() / 1_000).ok()
    }
}

/// Makes a file of an export's lines, as they come.
pub struct Table<W: Write + Send> {
    file: SerializedFileWriter<W>,
    rows: Vec<(Row, Told)>,
    /// A line whose end has not come yet.
    begun: Vec<u8>,
}

impl<W: Write + Send> Table<W> {
    pub fn new(out: W) -> Result<Self> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        Ok(Self {
            file: SerializedFileWriter::new(out, schema, Arc::new(properties.build()))?,
            rows: Vec::new(),
            begun: Vec::new(),
        })
    }

    /// Takes a part of the lines, wherever it ends.
    pub fn take(&mut self, part: &[u8]) -> Result<()> {
        for piece in part.split_inclusive(|byte| *byte == b'\n') {
            self.begun.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let row: Row = serde_json::from_slice(&mem::take(&mut self.begun))?;
                // What is no event tells nothing.
                let told = serde_json::from_str(row.event.get()).unwrap_or_default();
                self.rows.push((row, told));
            }
        }
        if self.rows.len() >= GROUP {
            self.write()?;
        }
        Ok(())
    }

    /// Without its end it is no file.
    pub fn finish(mut self) -> Result<()> {
        self.write()?;
        self.file.close()?;
        Ok(())
    }

    /// The columns in the schema's order.
    fn write(&mut self) -> Result<(), ParquetError> {
        let rows = mem::take(&mut self.rows);
        if rows.is_empty() {
            return Ok(());
        }
        let mut next = self.file.next_row_group()?;
        let group = &mut next;
        texts(group, &rows, |(row, _)| Some(&row.stream))?;
        numbers(group, &rows, |(row, _)| Some(row.seq))?;
        texts(group, &rows, |(row, _)| Some(&row.subject))?;
        texts(group, &rows, |(_, told)| told.id.as_deref())?;
        texts(group, &rows, |(_, told)| told.kind.as_deref())?;
        texts(group, &rows, |(_, told)| told.aggregate.as_deref())?;
        numbers(group, &rows, |(_, told)| told.sequence)?;
        numbers(group, &rows, |(_, told)| told.micros())?;
        texts(group, &rows, |(_, told)| told.source.as_deref())?;
        texts(group, &rows, |(_, told)| told.actor.as_deref())?;
        texts(group, &rows, |(_, told)| told.correlationid.as_deref())?;
        texts(group, &rows, |(_, told)| told.causationid.as_deref())?;
        texts(group, &rows, |(row, _)| Some(row.event.get()))?;
        next.close()?;
        Ok(())
    }
}

type Group<'a, W> = SerializedRowGroupWriter<'a, W>;

fn texts<W: Write + Send>(
    group: &mut Group<'_, W>,
    rows: &[(Row, Told)],
    cell: impl Fn(&(Row, Told)) -> Option<&str>,
) -> Result<(), ParquetError> {
    column::<ByteArrayType, W>(group, rows.iter().map(|row| cell(row).map(Into::into)))
}

fn numbers<W: Write + Send>(
    group: &mut Group<'_, W>,
    rows: &[(Row, Told)],
    cell: impl Fn(&(Row, Told)) -> Option<i64>,
) -> Result<(), ParquetError> {
    column::<Int64Type, W>(group, rows.iter().map(cell))
}

/// Writes the group's next column.
fn column<T: DataType, W: Write + Send>(
    group: &mut Group<'_, W>,
    cells: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let cells: Vec<_> = cells.collect();
    let there: Vec<i16> = cells.iter().map(|cell| cell.is_some().into()).collect();
    let values: Vec<T::T> = cells.into_iter().flatten().collect();
    if let Some(mut column) = group.next_column()? {
        column
            .typed::<T>()
            .write_batch(&values, Some(&there), None)?;
        column.close()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use parquet::{
        file::reader::{FileReader, SerializedFileReader},
        record::Field,
    };
    use serde_json::json;

    use super::*;

    fn rows(file: Vec<u8>) -> Vec<Vec<(String, Field)>> {
        let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
        let rows = reader.get_row_iter(None).unwrap();
        rows.map(|row| row.unwrap().into_columns()).collect()
    }

    fn cell(row: &[(String, Field)], name: &str) -> Field {
        let (_, field) = row.iter().find(|(column, _)| column == name).unwrap();
        field.clone()
    }

    #[test]
    fn an_event_is_a_row_and_what_is_none_keeps_its_place() {
        let event = json!({
            "specversion": "1.0", "id": "019aa001-0000-7000-9000-000000000001",
            "source": "tiffin/order", "type": "tiffin.order.placed.v1", "subject": "an order",
            "time": "2026-11-21T10:00:00.25Z", "sequence": 3, "actor": "somebody",
            "data": { "itemName": "Kottu" },
        });
        let lines = [
            json!({ "stream": "ORDERS", "seq": 7, "subject": "tiffin.order.1.placed", "event": event }),
            json!({ "stream": "ORDERS", "seq": 8, "subject": "tiffin.order.1.lost", "event": "{ rubbish" }),
        ];
        let lines = lines.map(|line| format!("{line}\n")).concat();
        let mut file = Vec::new();
        let mut table = Table::new(&mut file).unwrap();
        // Parts of an answer end anywhere.
        for part in lines.as_bytes().chunks(11) {
            table.take(part).unwrap();
        }
        table.finish().unwrap();

        let rows = rows(file);
        let [placed, rubbish] = rows.as_slice() else {
            panic!("{rows:?}");
        };
        let text = |text: &str| Field::Str(text.to_owned());
        assert_eq!(cell(placed, "seq"), Field::Long(7));
        assert_eq!(cell(placed, "type"), text("tiffin.order.placed.v1"));
        assert_eq!(cell(placed, "aggregate"), text("an order"));
        assert_eq!(cell(placed, "sequence"), Field::Long(3));
        let time = Field::TimestampMicros(1_795_255_200_250_000);
        assert_eq!(cell(placed, "time"), time);
        assert_eq!(cell(placed, "correlationid"), Field::Null);
        assert_eq!(cell(placed, "event"), text(&event.to_string()));
        assert_eq!(cell(rubbish, "seq"), Field::Long(8));
        assert_eq!(cell(rubbish, "type"), Field::Null);
        assert_eq!(cell(rubbish, "event"), text("\"{ rubbish\""));
    }

    #[test]
    fn many_rows_are_written_in_groups_and_all_are_there() {
        let mut file = Vec::new();
        let mut table = Table::new(&mut file).unwrap();
        let last = i64::try_from(GROUP).unwrap() * 2 + 5;
        for seq in 1..=last {
            let line = json!({ "stream": "USERS", "seq": seq, "subject": "s", "event": {} });
            table.take(format!("{line}\n").as_bytes()).unwrap();
        }
        table.finish().unwrap();
        let places = rows(file).into_iter().map(|row| cell(&row, "seq"));
        assert!(places.eq((1..=last).map(Field::Long)));
    }

    #[test]
    fn nothing_is_a_file_too() {
        let mut file = Vec::new();
        Table::new(&mut file).unwrap().finish().unwrap();
        assert!(rows(file).is_empty());
    }
}
