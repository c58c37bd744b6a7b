use std::ops::RangeInclusive;

use bytes::Bytes;
use parquet::{
    column::reader::get_typed_column_reader,
    data_type::{ByteArray, ByteArrayType, DataType, Int64Type},
    errors::{ParquetError, Result},
    file::{
        reader::{FileReader, SerializedFileReader},
        statistics::Statistics,
    },
    schema::parser::parse_message_type,
};
use time::OffsetDateTime;

use super::{Column, SCHEMA};
use crate::{Headers, Message};

/// A file whose footer was read.
pub(crate) struct SegmentFile(SerializedFileReader<Bytes>);

impl SegmentFile {
    /// Opens a file with exactly the columns of a segment.
    pub fn open(bytes: Bytes) -> Result<Self> {
        let file = SerializedFileReader::new(bytes)?;
        if *file.metadata().file_metadata().schema() != parse_message_type(SCHEMA)? {
            return Err(bad("its columns are not those of a segment"));
        }
        Ok(Self(file))
    }

    /// The number of row groups.
    pub fn groups(&self) -> usize {
        self.0.num_row_groups()
    }

    /// The number of rows of a row group.
    pub fn rows(&self, group: usize) -> usize {
        let rows = self.0.metadata().row_group(group).num_rows();
        usize::try_from(rows).unwrap_or_default()
    }

    /// The first and last stream sequence of a row group, by its statistics.
    pub fn range(&self, group: usize) -> Result<RangeInclusive<u64>> {
        let row_group = self.0.metadata().row_group(group);
        let statistics = row_group.column(Column::Sequence as usize).statistics();
        let Some(Statistics::Int64(statistics)) = statistics else {
            return Err(bad("a row group lacks statistics"));
        };
        let bounds = statistics.min_opt().zip(statistics.max_opt());
        let (first, last) = bounds.ok_or_else(|| bad("a row group's statistics are empty"))?;
        Ok(sequence(*first)?..=sequence(*last)?)
    }

    /// The stream sequences of a row group.
    pub fn sequences(&self, group: usize) -> Result<Vec<u64>> {
        let values = self.required::<Int64Type>(group, Column::Sequence)?;
        values.into_iter().map(sequence).collect()
    }

    /// A column of numbers that no row lacks.
    pub fn numbers(&self, group: usize, column: Column) -> Result<Vec<i64>> {
        self.required::<Int64Type>(group, column)
    }

    /// A column of numbers that rows may lack.
    pub fn optional_numbers(&self, group: usize, column: Column) -> Result<Vec<Option<i64>>> {
        self.optional::<Int64Type>(group, column)
    }

    /// A column of texts or bytes that no row lacks.
    pub fn texts(&self, group: usize, column: Column) -> Result<Vec<ByteArray>> {
        self.required::<ByteArrayType>(group, column)
    }

    /// A column of texts that rows may lack.
    pub fn optional_texts(&self, group: usize, column: Column) -> Result<Vec<Option<ByteArray>>> {
        self.optional::<ByteArrayType>(group, column)
    }

    /// The messages of these rows of a group, which ascend.
    pub fn messages(&self, group: usize, rows: &[usize]) -> Result<Vec<Message>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let sequences = self.sequences(group)?;
        let times = self.numbers(group, Column::StoredAt)?;
        let subjects = self.texts(group, Column::Subject)?;
        let headers = self.texts(group, Column::Headers)?;
        let bodies = self.texts(group, Column::Body)?;
        let mut messages = Vec::with_capacity(rows.len());
        let mut columns = headers.into_iter().zip(bodies).enumerate();
        for row in rows {
            let of_row = columns.by_ref().find(|(at, _)| at == row);
            let (_, (headers, body)) = of_row.ok_or_else(|| bad("a row is missing"))?;
            messages.push(Message {
                stream_sequence: *cell(&sequences, *row)?,
                stored_at: time(*cell(&times, *row)?)?,
                subject: text(cell(&subjects, *row)?)?,
                headers: Headers::of_checked_file(bytes(headers)),
                body: bytes(body),
            });
        }
        Ok(messages)
    }

    fn required<T: DataType>(&self, group: usize, column: Column) -> Result<Vec<T::T>> {
        let mut values = Vec::new();
        self.column::<T>(group, column, None, &mut values)?;
        Ok(values)
    }

    fn optional<T: DataType>(&self, group: usize, column: Column) -> Result<Vec<Option<T::T>>> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        self.column::<T>(group, column, Some(&mut levels), &mut values)?;
        let mut values = values.into_iter();
        let cells = levels.iter().map(|level| match level {
            0 => None,
            _ => values.next(),
        });
        Ok(cells.collect())
    }

    fn column<T: DataType>(
        &self,
        group: usize,
        column: Column,
        mut levels: Option<&mut Vec<i16>>,
        values: &mut Vec<T::T>,
    ) -> Result<()> {
        let rows = self.rows(group);
        let group = self.0.get_row_group(group)?;
        values.reserve(rows);
        let mut reader = get_typed_column_reader::<T>(group.get_column_reader(column as usize)?);
        let mut read = 0;
        while read < rows {
            let (records, _, _) =
                reader.read_records(rows - read, levels.as_deref_mut(), None, values)?;
            if records == 0 {
                return Err(bad("a column is shorter than its row group"));
            }
            read += records;
        }
        Ok(())
    }
}

fn cell<T>(values: &[T], row: usize) -> Result<&T> {
    values.get(row).ok_or_else(|| bad("a row is missing"))
}

fn sequence(number: i64) -> Result<u64> {
    u64::try_from(number).map_err(|_| bad("a stream sequence is negative"))
}

fn time(nanos: i64) -> Result<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(nanos.into()).map_err(|_| bad("a time is none"))
}

fn text(bytes: &ByteArray) -> Result<String> {
    let text = bytes.as_utf8()?;
    Ok(text.to_owned())
}

/// The value without a copy. A message that is kept holds on to the page of the file that it is in, a megabyte.
fn bytes(value: ByteArray) -> Bytes {
    Bytes::from_owner(value)
}

fn bad(reason: &str) -> ParquetError {
    ParquetError::General(reason.to_owned())
}
