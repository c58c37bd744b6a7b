//! Events as Apache Parquet, for tools that read by column: one row for each event, with the envelope's fields as
//! columns and the whole event as JSON. <https://parquet.apache.org/docs/file-format/>

use std::{io::Write, mem, sync::Arc};

use anyhow::Result;
use parquet::{
    basic::Compression,
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use tiffin_archive::columns::{micros, numbers, texts};
use tiffin_events::RawEnvelope;

/// Only stream, sequence and subject are required: an operator may have to look at a message that is no event.
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
/// The number of rows that are written together.
const ROW_GROUP_SIZE: usize = 10_000;

/// A line of an export.
#[derive(Deserialize)]
struct Line {
    stream: String,
    seq: i64,
    subject: String,
    event: Box<RawValue>,
}

/// A line and its envelope; `None` if the line is no event.
type EventRow = (Line, Option<RawEnvelope>);

/// A writer of a Parquet file from an export's lines.
pub struct ParquetFile<W: Write + Send> {
    file: SerializedFileWriter<W>,
    rows: Vec<EventRow>,
    /// The beginning of a line whose end has not arrived yet.
    partial_line: Vec<u8>,
}

impl<W: Write + Send> ParquetFile<W> {
    pub fn new(out: W) -> Result<Self> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        Ok(Self {
            file: SerializedFileWriter::new(out, schema, Arc::new(properties.build()))?,
            rows: Vec::new(),
            partial_line: Vec::new(),
        })
    }

    /// Writes a part of the lines, which may end within a line.
    pub fn write(&mut self, part: &[u8]) -> Result<()> {
        for piece in part.split_inclusive(|byte| *byte == b'\n') {
            self.partial_line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line: Line = serde_json::from_slice(&mem::take(&mut self.partial_line))?;
                let envelope = serde_json::from_str(line.event.get()).ok();
                self.rows.push((line, envelope));
            }
        }
        if self.rows.len() >= ROW_GROUP_SIZE {
            self.write_group()?;
        }
        Ok(())
    }

    /// Writes the remaining rows and the footer of the file.
    pub fn finish(mut self) -> Result<()> {
        self.write_group()?;
        self.file.close()?;
        Ok(())
    }

    /// The columns in the schema's order.
    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = mem::take(&mut self.rows);
        if rows.is_empty() {
            return Ok(());
        }
        let mut next = self.file.next_row_group()?;
        let group = &mut next;
        texts(group, &rows, |(line, _)| Some(line.stream.clone()))?;
        numbers(group, &rows, |(line, _)| Some(line.seq))?;
        texts(group, &rows, |(line, _)| Some(line.subject.clone()))?;
        texts(group, &rows, field(|event| Some(event.id.to_string())))?;
        texts(group, &rows, field(|event| Some(event.kind.clone())))?;
        texts(group, &rows, field(|event| Some(event.subject.to_string())))?;
        numbers(group, &rows, field(|event| Some(event.sequence)))?;
        numbers(group, &rows, field(|event| Some(micros(event.time))))?;
        texts(group, &rows, field(|event| Some(event.source.clone())))?;
        texts(group, &rows, field(|event| Some(event.actor.clone())))?;
        texts(
            group,
            &rows,
            field(|event| Some(event.correlationid?.to_string())),
        )?;
        texts(
            group,
            &rows,
            field(|event| Some(event.causationid?.to_string())),
        )?;
        texts(group, &rows, |(line, _)| Some(line.event.get().to_owned()))?;
        next.close()?;
        Ok(())
    }
}

/// A column of a field of the envelope.
fn field<T>(read: impl Fn(&RawEnvelope) -> Option<T>) -> impl Fn(&EventRow) -> Option<T> {
    move |(_, event)| read(event.as_ref()?)
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
    fn an_event_is_a_row_and_a_message_without_an_event_keeps_its_sequence() {
        let order = "019aa001-0000-7000-8000-000000000007";
        let event = json!({
            "specversion": "1.0", "id": "019aa001-0000-7000-9000-000000000001",
            "source": "tiffin/order", "type": "tiffin.order.placed.v1", "subject": order,
            "time": "2026-11-21T10:00:00.25Z", "datacontenttype": "application/json",
            "sequence": 3, "actor": "tiffin/someone",
            "data": { "itemName": "Kottu" },
        });
        let lines = [
            json!({ "stream": "ORDERS", "seq": 7, "subject": "tiffin.order.1.placed", "event": event }),
            json!({ "stream": "ORDERS", "seq": 8, "subject": "tiffin.order.1.lost", "event": "{ rubbish" }),
        ];
        let lines = lines.map(|line| format!("{line}\n")).concat();
        let mut file = Vec::new();
        let mut parquet = ParquetFile::new(&mut file).unwrap();
        // Parts of an answer end anywhere.
        for part in lines.as_bytes().chunks(11) {
            parquet.write(part).unwrap();
        }
        parquet.finish().unwrap();

        let rows = rows(file);
        let [placed, rubbish] = rows.as_slice() else {
            panic!("{rows:?}");
        };
        let text = |text: &str| Field::Str(text.to_owned());
        assert_eq!(cell(placed, "seq"), Field::Long(7));
        assert_eq!(cell(placed, "type"), text("tiffin.order.placed.v1"));
        assert_eq!(cell(placed, "aggregate"), text(order));
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
        let mut parquet = ParquetFile::new(&mut file).unwrap();
        let last = i64::try_from(ROW_GROUP_SIZE).unwrap() * 2 + 5;
        for seq in 1..=last {
            let line = json!({ "stream": "USERS", "seq": seq, "subject": "s", "event": {} });
            parquet.write(format!("{line}\n").as_bytes()).unwrap();
        }
        parquet.finish().unwrap();
        let sequences = rows(file).into_iter().map(|row| cell(&row, "seq"));
        assert!(sequences.eq((1..=last).map(Field::Long)));
    }

    #[test]
    fn nothing_is_a_file_too() {
        let mut file = Vec::new();
        ParquetFile::new(&mut file).unwrap().finish().unwrap();
        assert!(rows(file).is_empty());
    }
}
