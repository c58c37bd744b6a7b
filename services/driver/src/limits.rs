//! Limits of writes by one account and by one network: far more than a person needs, and far too few to
//! fill a stream, which refuses once it is full.

use tiffin_chassis::WriteLimit;

/// Changes of a driver, their availability above all. The user service counts profiles besides.
///
/// One is some 1 kB in DRIVERS, which holds 512 MiB: one account writes 120 kB an hour, which takes
/// half a year to fill it.
pub const CHANGES: WriteLimit = WriteLimit::hourly("changes", 120, 2_400);

/// The list of drivers, which an owner's board asks for as it opens and as drivers come and go.
pub const LISTS: WriteLimit = WriteLimit::minutely("lists", 120, 1_200);
