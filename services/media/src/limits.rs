//! Limits of uploads.

use tiffin_chassis::Limit;
use time::Duration;

/// Pictures without an account, from one network.
pub(crate) const ANONYMOUS: Limit = Limit {
    most: 10,
    window: Duration::HOUR,
};
/// Pictures of one account: an owner's whole menu, but not a disk's worth.
pub(crate) const OF_ACCOUNT: Limit = Limit {
    most: 200,
    window: Duration::HOUR,
};

/// The most bytes of an upload.
pub const MAX_BYTES: usize = 5 * 1024 * 1024;
/// The most pixels of a picture, of all frames together.
pub const MAX_PIXELS: u64 = 40_000_000;
