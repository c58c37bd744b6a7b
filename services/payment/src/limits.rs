//! Limits of writes by one account and by one network: far above the need of a person, and far below what
//! would fill a stream. A full stream refuses events.

use tiffin_chassis::WriteLimit;

/// Attempts to pay, including declined ones. A checkout has up to 50 orders, each paid separately.
///
/// One takes some 1.5 kB in PAYMENTS, which holds 512 MiB. One account can write 0.5 MB an hour, which fills
/// it in 49 days.
pub const PAYMENTS: WriteLimit = WriteLimit::hourly("payments", 300, 3_000);

/// Refunds by owners and administrators.
///
/// One takes some 2 kB in PAYMENTS for each payment of its checkout that it is made from, mostly one. One account can
/// write 0.6 MB an hour, which fills it in 37 days.
pub const REFUNDS: WriteLimit = WriteLimit::hourly("refunds", 300, 3_000);

/// Questions about a pending payment, each of which asks the provider. A page asks once every few seconds while the
/// customer looks at it. They write nothing to PAYMENTS but a payment's one outcome.
pub const CHECKS: WriteLimit = WriteLimit::hourly("payment checks", 1_200, 12_000);
