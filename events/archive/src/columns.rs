//! Columns of Parquet files, written a row group at a time.

use std::io::Write;

use parquet::{
    data_type::{ByteArray, ByteArrayType, DataType, Int64Type},
    errors::{ParquetError, Result},
    file::writer::SerializedRowGroupWriter,
};
use time::OffsetDateTime;

pub type RowGroup<'a, W> = SerializedRowGroupWriter<'a, W>;

/// Writes the group's next column, of texts.
pub fn texts<'a, R, T: AsRef<str>, W: Write + Send>(
    group: &mut RowGroup<'_, W>,
    rows: &'a [R],
    cell: impl Fn(&'a R) -> Option<T>,
) -> Result<()> {
    let bytes = |row| Some(ByteArray::from(cell(row)?.as_ref()));
    column::<ByteArrayType, W>(group, rows.iter().map(bytes))
}

/// Writes the group's next column, of numbers.
pub fn numbers<R, W: Write + Send>(
    group: &mut RowGroup<'_, W>,
    rows: &[R],
    cell: impl Fn(&R) -> Option<i64>,
) -> Result<()> {
    column::<Int64Type, W>(group, rows.iter().map(cell))
}

/// Writes the group's next column. Fails where a column that every row has lacks a value.
pub fn column<T: DataType, W: Write + Send>(
    group: &mut RowGroup<'_, W>,
    cells: impl Iterator<Item = Option<T::T>>,
) -> Result<()> {
    let cells: Vec<_> = cells.collect();
    let levels: Vec<i16> = cells.iter().map(|cell| cell.is_some().into()).collect();
    let values: Vec<T::T> = cells.into_iter().flatten().collect();
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("a column too many".to_owned()));
    };
    let is_optional = column.typed::<T>().get_descriptor().max_def_level() > 0;
    if !is_optional && values.len() < levels.len() {
        return Err(ParquetError::General(
            "a required value is missing".to_owned(),
        ));
    }
    let levels = is_optional.then_some(&levels[..]);
    column.typed::<T>().write_batch(&values, levels, None)?;
    column.close()
}

/// Microseconds since 1970, rounded down.
pub fn micros(time: OffsetDateTime) -> i64 {
    let micros = time.unix_timestamp_nanos().div_euclid(1_000);
    i64::try_from(micros).unwrap_or(if micros < 0 { i64::MIN } else { i64::MAX })
}
