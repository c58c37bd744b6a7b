//! The event log and the archive as one: the log answers for a stream from its start on, the archive for what is before.

mod leave;
pub(crate) mod months;
mod record;
mod search;
mod segments;
mod timeline;

pub(crate) use self::{
    record::{adopt_lost, start_of},
    search::{Found, search},
    segments::{find, waiting_behind},
    timeline::{find_order_by_code, of_order},
};
pub use leave::keep_window;
