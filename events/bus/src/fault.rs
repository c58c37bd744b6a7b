//! Places where a test can stop a process to kill it there. Nothing happens unless
//! `TIFFIN_FAULT=<who>.<place>:<file>` is set. Then the first to reach the place writes the file and waits
//! without end. `who` is a consumer's name, or `relay`.

use std::sync::LazyLock;

static SET: LazyLock<Option<(String, String)>> = LazyLock::new(|| {
    let set = std::env::var("TIFFIN_FAULT").ok()?;
    let (place, file) = set.split_once(':')?;
    Some((place.to_owned(), file.to_owned()))
});

/// Stops here if the test asked for it.
pub(crate) async fn point(who: &str, place: &str) {
    if let Some((wanted, file)) = &*SET
        && wanted.split_once('.') == Some((who, place))
    {
        if let Err(error) = std::fs::write(file, wanted) {
            tracing::error!(%error, wanted, "the fault's file can't be written");
        }
        std::future::pending::<()>().await;
    }
}
