//! Limits of writes by one account and by one network: far more than a person needs, and far too few to
//! fill a stream, which refuses once it is full.

use tiffin_chassis::WriteLimit;

/// Checkouts of up to 50 lines. A family orders a few times a day; one mobile carrier's address may
/// serve thousands of families.
///
/// One of 50 lines with the longest address is 154.5 kB in ORDERS, which holds 2 GiB: one account
/// writes 9.3 MB an hour, which takes ten days to fill it, were it not bounded by [`MAX_UNPAID`] before;
/// one network writes at most 93 MB an hour.
pub const CHECKOUTS: WriteLimit = WriteLimit::hourly("checkouts", 60, 600);

/// Orders of one customer that are pending and not paid: two whole checkouts of 50 lines. Each waits
/// on a restaurant's board, and waiting does not make it fewer: paying, cancelling or a restaurant's
/// confirmation does.
pub const MAX_UNPAID: i32 = 100;

/// Confirming, cancelling, approving, deleting. Each line is an order, and a busy kitchen's evening
/// has some 300 an hour with four steps each.
///
/// A step is some 1.2 kB for each order: one account writes 2.4 MB an hour, which takes 37 days to fill ORDERS. A ticket
/// takes one step with all its orders, of which a cart has 50 at most.
pub const CHANGES: WriteLimit = WriteLimit::hourly("changes", 2_000, 10_000);

/// Calls of print agents: one every two seconds, and two a ticket. Each changes one row.
pub const PRINTING: WriteLimit = WriteLimit::hourly("printing", 10_000, 50_000);
