//! Limits of wrong passwords, mails and writes.

use tiffin_chassis::{Limit, WriteLimit};
use time::Duration;

/// Wrong passwords for one account: from one network, from one known browser, in its own session.
pub(crate) const PER_ACCOUNT: Limit = Limit {
    most: 10,
    window: Duration::minutes(15),
};
/// Wrong passwords from one address.
pub(crate) const PER_ADDRESS: Limit = Limit {
    most: 30,
    window: Duration::minutes(1),
};
/// Wrong passwords for one account from unknown browsers of all networks together: NIST SP 800-63B-4,
/// section 3.2.2, allows a hundred.
pub(crate) const UNKNOWN_BROWSERS: Limit = Limit {
    most: 100,
    window: Duration::hours(1),
};
/// Wrong passwords beyond these: one a minute, so that the owner with a new browser can still sign in.
pub(crate) const UNKNOWN_BROWSERS_SLOWED: Limit = Limit {
    most: 1,
    window: Duration::minutes(1),
};
/// Sign-ins, right or wrong, of one account from one network or known browser, and from one network.
/// Each costs 19 MiB and 50 ms of a processor.
pub(crate) const LOGINS: WriteLimit = WriteLimit::hourly("logins", 60, 1_200);
/// Wrong codes of the second step for one account; the right password came before.
pub(crate) const PER_FACTOR: Limit = Limit {
    most: 10,
    window: Duration::minutes(15),
};

/// Codes mailed to one account. Each allows a few guesses, so this also bounds the guesses, and the mails
/// to another person's address.
pub(crate) const CODES: Limit = Limit {
    most: 20,
    window: Duration::days(1),
};

/// Codes mailed to one address, for all who sign up with it. It is more than one network gets, so that a
/// stranger's sign-ups leave some to the address's owner.
pub(crate) const CODES_MAILED: Limit = Limit {
    most: 60,
    window: Duration::days(1),
};
/// Mails with a password reset, asked for one address from one network.
pub(crate) const RESETS: Limit = Limit {
    most: 5,
    window: Duration::HOUR,
};
/// Mails with a password reset, asked for one address by all: strangers leave some to its owner.
pub(crate) const RESETS_MAILED: Limit = Limit {
    most: 30,
    window: Duration::days(1),
};
/// Mails with a password reset asked for by one network, and tokens that it shows.
pub(crate) const RESETS_OF_NETWORK: Limit = Limit {
    most: 60,
    window: Duration::HOUR,
};
/// Calls of a public geocoder, which takes one request a second, of all processes together.
pub(crate) const GEOCODER: Limit = Limit {
    most: 1,
    window: Duration::SECOND,
};

/// Changes of profiles. Each is 3.7 kB in USERS, which holds 512 MiB: one account writes 222 kB an
/// hour, which takes 100 days to fill it. Drivers' come by the driver service, whose network they share.
pub(crate) const PROFILES: WriteLimit = WriteLimit::hourly("profiles", 60, 3_000);
/// New inquiries. Each is 0.6 kB in USERS: 12 kB an hour by one account.
pub(crate) const INQUIRIES: WriteLimit = WriteLimit::hourly("inquiries", 20, 300);
/// Inquiries edited, answered or taken away; administrators answer many. 0.6 kB each, too: 180 kB an
/// hour by one account.
pub(crate) const INQUIRY_CHANGES: WriteLimit = WriteLimit::hourly("inquiry-changes", 300, 1_200);

/// New copies of all that is held about an account. Each reads all of its rows in every service.
pub(crate) const COPIES: WriteLimit = WriteLimit {
    name: "copies",
    account: Limit {
        most: 3,
        window: Duration::WEEK,
    },
    network: Limit {
        most: 60,
        window: Duration::days(1),
    },
};
