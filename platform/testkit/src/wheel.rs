use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Mutex, PoisonError},
};

/// A script that serves at a port, with the packages of a folder. It ends with its standard input.
pub(crate) fn serving(script: &str, port: u16, packages: &Path) -> Child {
    Command::new("python3")
        .args(["-c", script, &port.to_string()])
        .env("PYTHONPATH", packages)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("python3")
}

/// The folder of a pinned wheel, which `pip` fetches once and checks by hash.
pub(crate) fn fetched(name: &str, pins: &str, options: &[&str]) -> PathBuf {
    built(name, pins, options, Path::new(""))
}

/// The same for a package that has no wheel. Its build finds what it needs in the folder `backend`.
pub(crate) fn built(name: &str, pins: &str, options: &[&str], backend: &Path) -> PathBuf {
    static FETCHING: Mutex<()> = Mutex::new(());
    let _one = FETCHING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = crate::packages().join(name);
    if folder.exists() {
        return folder;
    }
    fs::create_dir_all(crate::packages()).expect("the folder of packages");
    let fresh = tempfile::tempdir_in(crate::packages()).expect("a temporary folder");
    let (file, target) = (fresh.path().join("pins"), fresh.path().join("package"));
    fs::write(&file, pins).expect("the pins");
    let fetched = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-deps"])
        .args(["--no-compile", "--only-binary=:all:", "--require-hashes"])
        .args(options)
        .env("PYTHONPATH", backend)
        .arg("--target")
        .arg(&target)
        .arg("--requirement")
        .arg(&file)
        .status();
    assert!(fetched.expect("pip").success(), "{name} can't be fetched");
    // Another process may have been first.
    let _ = fs::rename(&target, &folder);
    folder
}
