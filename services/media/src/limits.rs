//! Limits of an upload.

/// The most bytes of an upload.
pub const MOST_BYTES: usize = 5 * 1024 * 1024;
/// The most pixels of a picture, of all frames together.
pub const MOST_PIXELS: u64 = 40_000_000;
