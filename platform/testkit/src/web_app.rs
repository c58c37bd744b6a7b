use std::{
    fs,
    path::{Path, PathBuf},
};

/// Makes the folder of a built web app without pages, for tests of the platform that serves it.
pub fn web_app(parent: &Path) -> PathBuf {
    let folder = parent.join("web");
    fs::create_dir(&folder).expect("a new folder");
    for (name, text) in [
        (
            "index.html",
            "<!doctype html><head><title>Tiffin</title></head>",
        ),
        ("sw.js", ""),
        ("preloads.json", r#"{ "pages": [], "texts": {} }"#),
    ] {
        fs::write(folder.join(name), text).expect("a file in a new folder");
    }
    folder
}
