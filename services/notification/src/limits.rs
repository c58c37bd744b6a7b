//! Limits of writes by one account and by one network: far above the need of a person, and far below what
//! would fill a stream. A full stream refuses events.

use tiffin_chassis::WriteLimit;

/// Notifications that owners request, one for each confirmed order.
///
/// One takes some 1 kB in NOTIFICATIONS, which holds 1 GiB. One account can write 0.6 MB an hour, which
/// fills it in 74 days.
pub const NOTIFICATIONS: WriteLimit = WriteLimit::hourly("notifications", 600, 6_000);

/// Notifications marked as read, which publish no event.
pub const READS: WriteLimit = WriteLimit::hourly("reads", 1_200, 12_000);

/// Changes of preferences and of browsers, which are rare.
pub const SETTINGS: WriteLimit = WriteLimit::hourly("settings", 60, 1_200);
