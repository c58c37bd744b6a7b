use std::sync::Arc;

use parquet::{
    basic::{Compression, Encoding, ZstdLevel},
    data_type::ByteArrayType,
    errors::Result,
    file::{
        properties::{EnabledStatistics, WriterProperties},
        writer::SerializedFileWriter,
    },
    schema::{parser::parse_message_type, types::ColumnPath},
};
use tiffin_events::{RawEnvelope, Stream};

use super::{ROW_GROUP_SIZE, Row, SCHEMA};
use crate::columns::{RowGroup, column, micros, numbers, texts};

/// Writes a file with these rows.
pub(crate) fn encode(stream: Stream, rows: &[Row<'_>]) -> Result<Vec<u8>> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties()?))?;
    for rows in rows.chunks(ROW_GROUP_SIZE) {
        let mut group = file.next_row_group()?;
        write_group(&mut group, stream, rows)?;
        group.close()?;
    }
    file.into_inner()
}

fn properties() -> Result<WriterProperties> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true);
    // Ascending numbers.
    for name in ["seq", "stored_at"] {
        properties = properties
            .set_column_dictionary_enabled(name.into(), false)
            .set_column_encoding(name.into(), Encoding::DELTA_BINARY_PACKED);
    }
    // Values that hardly come twice.
    for name in ["id", "causationid", "event"] {
        properties = properties.set_column_dictionary_enabled(name.into(), false);
    }
    for name in ["headers", "event"] {
        properties = properties
            .set_column_statistics_enabled(ColumnPath::from(name), EnabledStatistics::None);
    }
    Ok(properties.build())
}

/// The columns in the schema's order.
fn write_group(group: &mut RowGroup<'_, Vec<u8>>, stream: Stream, rows: &[Row<'_>]) -> Result<()> {
    texts(group, rows, |_| Some(stream.name()))?;
    numbers(group, rows, |row| {
        i64::try_from(row.message.stream_sequence).ok()
    })?;
    numbers(group, rows, |row| {
        i64::try_from(row.message.stored_at.unix_timestamp_nanos()).ok()
    })?;
    texts(group, rows, |row| Some(row.message.subject.as_str()))?;
    let headers = rows
        .iter()
        .map(|row| Some(row.message.headers.json().into()));
    column::<ByteArrayType, _>(group, headers)?;
    texts(group, rows, field(|event| Some(event.id.to_string())))?;
    texts(group, rows, |row| Some(row.event.as_ref()?.kind.as_str()))?;
    texts(group, rows, field(|event| Some(event.subject.to_string())))?;
    numbers(group, rows, |row| Some(row.event.as_ref()?.sequence))?;
    numbers(group, rows, |row| Some(micros(row.event.as_ref()?.time)))?;
    texts(group, rows, |row| Some(row.event.as_ref()?.source.as_str()))?;
    texts(group, rows, |row| Some(row.event.as_ref()?.actor.as_str()))?;
    texts(group, rows, field(|it| Some(it.correlationid?.to_string())))?;
    texts(group, rows, field(|it| Some(it.causationid?.to_string())))?;
    let bodies = rows.iter().map(|row| Some(row.message.body.clone().into()));
    column::<ByteArrayType, _>(group, bodies)
}

/// A cell of a field of the envelope.
fn field<T>(read: impl Fn(&RawEnvelope) -> Option<T>) -> impl for<'a> Fn(&'a Row<'a>) -> Option<T> {
    move |row| read(row.event.as_ref()?)
}
