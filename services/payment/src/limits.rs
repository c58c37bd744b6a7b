//! Limits of writes by one account and by one network: far more than a person needs, and far too few to
//! fill a stream, which refuses once it is full.

use tiffin_chassis::WriteLimit;

/// Tries to pay, declined ones among them. A checkout has up to 50 orders, each paid alone.
///
/// One is some 1.5 kB in PAYMENTS, which holds 512 MiB: one account writes 0.5 MB an hour, which takes
/// 49 days to fill it.
pub const PAYMENTS: WriteLimit = WriteLimit::hourly("payments", 300, 3_000);
