//! The program that runs: a handler that changed must see all events.

use std::{fs::File, io, path::PathBuf};

use aws_lc_rs::digest::{Context, SHA256};
use tiffin_archive::Hash;
use tokio::{sync::OnceCell, task};

/// Linux keeps the file of a running program under this name, also where another one has taken its place on disk.
const RUNNING: &str = "/proc/self/exe";

/// The SHA-256 hash of the running executable. It is computed once.
pub(super) async fn hash() -> io::Result<String> {
    static HASH: OnceCell<String> = OnceCell::const_new();
    let hash = HASH.get_or_try_init(|| async {
        let read = task::spawn_blocking(read);
        read.await.map_err(io::Error::other)?
    });
    hash.await.cloned()
}

fn read() -> io::Result<String> {
    let path = if cfg!(target_os = "linux") {
        PathBuf::from(RUNNING)
    } else {
        std::env::current_exe()?
    };
    let mut digest = Digest(Context::new(&SHA256));
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(Hash::from(digest.0.finish()).to_string())
}

/// Takes what is written into a hash.
struct Digest(Context);

impl io::Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
