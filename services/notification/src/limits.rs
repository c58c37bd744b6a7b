//! Limits of writes by one account and by one network: far more than a person needs, and far too few to
//! fill a stream, which refuses once it is full.

use tiffin_chassis::WriteLimit;

/// Notifications asked for by owners, one an order that is confirmed.
///
/// One is some 1 kB in NOTIFICATIONS, which holds 1 GiB: one account writes 0.6 MB an hour, which
/// takes 74 days to fill it.
pub const NOTIFICATIONS: WriteLimit = WriteLimit::hourly("notifications", 600, 6_000);

/// Notifications marked as read; no event tells of it.
pub const READS: WriteLimit = WriteLimit::hourly("reads", 1_200, 12_000);

/// Preferences and browsers, which people set now and then.
pub const SETTINGS: WriteLimit = WriteLimit::hourly("settings", 60, 1_200);
