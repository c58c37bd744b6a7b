//! The limit of open files. A connection is one.

use rustix::process::{Resource, getrlimit, setrlimit};

/// The assumed limit where the system sets none.
const ASSUMED_LIMIT: usize = 1024 * 1024;

/// Raises the soft limit of open files, often 1,024, to the hard one.
pub fn raise_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files can't be raised; it stays as it is");
    }
}

/// The number of files that the process may have open.
pub fn limit_of_process() -> usize {
    let soft = getrlimit(Resource::Nofile).current;
    soft.and_then(|files| usize::try_from(files).ok())
        .map_or(ASSUMED_LIMIT, |files| files.min(ASSUMED_LIMIT))
}
