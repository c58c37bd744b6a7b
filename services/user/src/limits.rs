//! How often accounts may do what costs others: wrong passwords, mails.

use tiffin_chassis::Limit;
use time::Duration;

/// Wrong passwords for one account.
pub(crate) const PER_ACCOUNT: Limit = Limit {
    most: 10,
    window: Duration::minutes(15),
};
/// Wrong passwords from one address.
pub(crate) const PER_ADDRESS: Limit = Limit {
    most: 30,
    window: Duration::minutes(1),
};

/// Codes mailed to one account. Each is good for a few guesses, so this also bounds how many guesses
/// at codes there are, and how often somebody else's address can be mailed to.
pub(crate) const CODES: Limit = Limit {
    most: 20,
    window: Duration::days(1),
};
