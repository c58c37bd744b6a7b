//! Limits of writes by one account and by one network: far more than a person needs, and far too few to
//! fill a stream, which refuses once it is full.

use tiffin_chassis::WriteLimit;

/// Deliveries made and their steps. A driver who sets out three times an hour with ten orders each takes
/// sixty steps; a busy kitchen gives away some 300 orders an hour.
///
/// A step is some 1.2 kB in DELIVERIES, which holds 1 GiB, and the range that may follow it 1.1 kB: one account
/// writes 1.4 MB an hour, which takes 32 days to fill it.
pub const CHANGES: WriteLimit = WriteLimit::hourly("changes", 600, 6_000);

/// Suggestions asked for. A board with ten orders that wait asks for each of them every minute or two.
///
/// One is some 1.2 kB in DELIVERIES if other drivers are suggested than before: one account writes 1.4 MB an hour at
/// most.
pub const SUGGESTIONS: WriteLimit = WriteLimit::hourly("suggestions", 1_200, 12_000);

/// Calls with positions that come late, of at most a hundred each: a day without network at a position every four
/// seconds. Repeated positions take no room.
///
/// A position is some 0.4 kB for each delivery under way: one account writes 9.6 MB an hour for each.
pub const LATE_POSITIONS: WriteLimit = WriteLimit::hourly("late positions", 240, 6_000);

/// Positions of a locked phone, of one each: two a second, so that a day without network is sent in an hour. A whole
/// fleet may share one mobile carrier's address.
///
/// One is some 0.4 kB for each delivery under way: one account writes 2.9 MB an hour for each.
pub const PHONE_POSITIONS: WriteLimit = WriteLimit::minutely("phone positions", 120, 6_000);

/// Requests of phones whose token opens nothing, counted by their network in place of the account. A phone goes on
/// asking with a token that was revoked.
pub const UNKNOWN_PHONES: WriteLimit = WriteLimit::minutely("unknown phones", 600, 600);

/// Tokens of phones, made and revoked.
///
/// They are no events.
pub const PHONE_TOKENS: WriteLimit = WriteLimit::hourly("phone tokens", 20, 600);

/// Positions sent by request, as devices without a socket do every few seconds for each delivery. A whole
/// fleet may share one mobile carrier's address.
///
/// One is some 0.4 kB: one account writes 2.9 MB an hour.
pub const POSITIONS: WriteLimit = WriteLimit::minutely("positions", 120, 6_000);
