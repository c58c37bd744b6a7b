//! Places where a test can stop a process to kill it there. Nothing happens unless
//! `TIFFIN_FAULT=<who>.<place>:<file>` is set. Then the first to reach the place writes the file and waits
//! without end. `who` is a consumer's or a service's name, `relay`, `archiver`, `log` or `print`.

use std::sync::LazyLock;

static FAULT: LazyLock<Option<(String, String)>> = LazyLock::new(|| {
    let fault = std::env::var("TIFFIN_FAULT").ok()?;
    let (place, file) = fault.split_once(':')?;
    Some((place.to_owned(), file.to_owned()))
});

/// Stops here if the test asks for it.
pub async fn point(who: &str, place: &str) {
    if let Some((wanted, file)) = &*FAULT
        && wanted.split_once('.') == Some((who, place))
    {
        if let Err(error) = std::fs::write(file, wanted) {
            tracing::error!(%error, wanted, "the file of a fault can't be written; the process stops at the fault without it");
        }
        std::future::pending::<()>().await;
    }
}
