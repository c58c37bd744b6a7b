//! The Parquet file of a segment: its columns, written and read one row group at a time.

mod decode;
mod encode;
mod row;

pub(crate) use decode::SegmentFile;
pub(crate) use encode::encode;
pub(crate) use row::Row;

/// The columns, by their place in [`SCHEMA`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column {
    Sequence = 1,
    StoredAt = 2,
    Subject = 3,
    Headers = 4,
    Kind = 6,
    Aggregate = 7,
    Time = 9,
    Actor = 11,
    Correlation = 12,
    Body = 14,
}

/// Annotated as text, headers are read without an extension by tools that have none for JSON. A body is any bytes.
const SCHEMA: &str = "message segment {
    required binary stream (STRING);
    required int64 seq;
    required int64 stored_at (TIMESTAMP(NANOS, true));
    required binary subject (STRING);
    required binary headers (STRING);
    optional binary id (STRING);
    optional binary type (STRING);
    optional binary aggregate (STRING);
    optional int64 sequence;
    optional int64 time (TIMESTAMP(MICROS, true));
    optional binary source (STRING);
    optional binary actor (STRING);
    optional binary correlationid (STRING);
    optional binary causationid (STRING);
    required binary event;
}";

/// The number of rows that lie together in a file and share statistics and a part of the index.
pub(crate) const ROW_GROUP_SIZE: usize = 4_096;
