//! How often one account, and everybody of one network together, may write: far more than a person
//! does, and far too little to fill a stream, which takes nothing more once it is full.

use tiffin_chassis::WriteLimit;

/// Tries to pay, declined ones among them. A checkout has up to 50 orders, each paid alone.
///
/// One is some 1.5 kB in PAYMENTS, which holds 512 MiB: one account writes 0.5 MB an hour, which takes
/// 49 days to fill it.
pub const PAYMENTS: WriteLimit = WriteLimit::hourly("payments", 300, 3_000);
