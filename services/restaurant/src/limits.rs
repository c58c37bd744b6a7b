//! Limits of writes by one account and by one network: far more than a person needs, and far too few to
//! fill a stream, which refuses once it is full.

use tiffin_chassis::WriteLimit;

/// New restaurants. A chain adds its shops in an afternoon.
///
/// One is 2.8 kB in CATALOG, which holds 512 MiB: one account writes 56 kB an hour, which takes over a
/// year to fill it.
pub const RESTAURANTS: WriteLimit = WriteLimit::hourly("restaurants", 20, 60);

/// New dishes. The longest menus have some 200.
///
/// One is at most 2.8 kB as well: 840 kB an hour by one account, 26 days.
pub const ITEMS: WriteLimit = WriteLimit::hourly("items", 300, 900);

/// New reviews. Who reviews each dish of a feast writes a dozen; 84 kB an hour by one account.
pub const REVIEWS: WriteLimit = WriteLimit::hourly("reviews", 30, 300);

/// Changes of restaurants, dishes and reviews: details, stock, opening, approval, deletion. A kitchen
/// takes dishes off and puts them on again some dozens of times a day; administrators approve whole
/// menus.
///
/// One is at most 2.8 kB: 1.7 MB an hour by one account, which takes 13 days to fill CATALOG.
pub const CHANGES: WriteLimit = WriteLimit::hourly("changes", 600, 3_000);
