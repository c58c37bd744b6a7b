//! The limit of open files. A connection is one.

use rustix::process::{Resource, getrlimit, setrlimit};

/// The assumed limit where the system sets none.
const PLENTY: usize = 1024 * 1024;
/// A limit below this is worth a word.
const FEW: usize = 4_096;

/// Raises the soft limit of open files, often 1,024, to the hard one. Says so where even that is low.
pub fn raise_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
    let files = limit_of_process();
    if files < FEW {
        let connections = crate::connections::most_connections(files);
        tracing::warn!(
            files,
            connections,
            "the process may open {files} files: it takes {connections} connections at once and refuses \
             more. Raise the hard limit (`ulimit -Hn`, LimitNOFILE=, nofile in a container)"
        );
    }
}

/// The number of files that the process may have open.
pub fn limit_of_process() -> usize {
    let soft = getrlimit(Resource::Nofile).current;
    soft.and_then(|files| usize::try_from(files).ok())
        .map_or(PLENTY, |files| files.min(PLENTY))
}
