//! The build of the web app, made again if it is missing or older than its sources.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::SystemTime,
};

use anyhow::{Context, Result, bail, ensure};
use tiffin_chassis::Env;
use tokio::process::Command;

use super::progress;

/// The sources of the built app, below `web/`.
const SOURCES: [&str; 17] = [
    "brotli.ts",
    "configuration.ts",
    "src",
    "docs",
    "icon.ts",
    "public",
    "index.html",
    "outline.ts",
    "package.json",
    "package-lock.json",
    "postcss.config.js",
    "preloads.ts",
    "styles.ts",
    "texts.ts",
    "tsconfig.json",
    "vite.config.ts",
    "worker",
];

/// The folder with the built app: `TIFFIN_WEB`, else that of the repository, built if need be.
pub async fn ensure_built(env: &Env) -> Result<PathBuf> {
    if let Some(folder) = env.get("TIFFIN_WEB") {
        return Ok(PathBuf::from(folder));
    }
    let web =
        repository().context("the web app's folder is not found: set TIFFIN_WEB to a built one")?;
    let dist = web.join("dist");
    let step = progress::step();
    if is_current(&web) {
        step.done("web app is built");
        return Ok(dist);
    }
    if is_older(
        &web.join("node_modules/.package-lock.json"),
        newest(&web.join("package-lock.json")),
    ) {
        progress::note("npm ci, for the web app's packages");
        npm(&web, &["ci", "--no-audit", "--no-fund"]).await?;
    }
    progress::note("npm run build, for the web app");
    npm(&web, &["run", "--silent", "build"]).await?;
    ensure!(
        dist.join("index.html").is_file(),
        "the build left no web app in {}",
        dist.display()
    );
    step.done("web app built");
    Ok(dist)
}

/// The `web` folder of the repository: around what cargo runs, the working folder or the binary.
fn repository() -> Option<PathBuf> {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let starts = [package, env::current_dir().ok(), env::current_exe().ok()];
    starts.into_iter().flatten().find_map(|start| {
        let mut above = start.ancestors().map(|folder| folder.join("web"));
        above.find(|web| web.join("package.json").is_file() && web.join("vite.config.ts").is_file())
    })
}

fn is_current(web: &Path) -> bool {
    let sources = SOURCES
        .iter()
        .filter_map(|name| newest(&web.join(name)))
        .max();
    !is_older(&web.join("dist/index.html"), sources)
}

/// True if a file is missing or older than `than`.
fn is_older(file: &Path, than: Option<SystemTime>) -> bool {
    let made = fs::metadata(file).and_then(|found| found.modified());
    made.map_or(true, |made| than.is_some_and(|than| made < than))
}

/// The time of the newest change below `path`.
fn newest(path: &Path) -> Option<SystemTime> {
    let found = fs::metadata(path).ok()?;
    let own = found.modified().ok();
    if !found.is_dir() {
        return own;
    }
    let below = fs::read_dir(path)
        .ok()?
        .flatten()
        .filter_map(|entry| newest(&entry.path()))
        .max();
    own.max(below)
}

async fn npm(web: &Path, arguments: &[&str]) -> Result<()> {
    let output = Command::new("npm")
        .args(arguments)
        .current_dir(web)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .context("npm can't be started: install Node.js 20 or later, or set TIFFIN_WEB to a built web app")?;
    if output.status.success() {
        return Ok(());
    }
    let output_text = [output.stdout, output.stderr].concat();
    let output_text = String::from_utf8_lossy(&output_text);
    let last: Vec<&str> = output_text
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty())
        .take(15)
        .collect();
    let last = last.into_iter().rev().collect::<Vec<_>>().join("\n    ");
    bail!("npm {} failed:\n    {last}", arguments.join(" "))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_file_of_the_build_is_a_source() {
        let web = repository().unwrap();
        let build = fs::read_to_string(web.join("vite.config.ts")).unwrap();
        let imports = build.split("from './").skip(1);
        let imports: Vec<&str> = imports.filter_map(|text| text.split('\'').next()).collect();
        assert!(imports.len() > 3, "{imports:?}");
        for import in imports {
            let top = import.split('/').next().unwrap_or_default();
            let is_source = [top.to_owned(), format!("{top}.ts")]
                .iter()
                .any(|name| SOURCES.contains(&name.as_str()));
            assert!(is_source, "{import}");
        }
    }

    #[test]
    fn an_app_is_built_again_when_a_source_is_younger() {
        let web = tempfile::tempdir().unwrap();
        let touch = |name: &str, seconds: u64| {
            let file = web.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            let open = fs::File::create(&file).unwrap();
            open.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
                .unwrap();
        };
        let age = |name: &str| {
            let folder = fs::File::open(web.path().join(name)).unwrap();
            folder.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        };
        touch("src/app/main.tsx", 10);
        age("src/app");
        age("src");
        assert!(!is_current(web.path()));
        touch("dist/index.html", 20);
        assert!(is_current(web.path()));
        touch("src/app/main.tsx", 30);
        assert!(!is_current(web.path()));
    }
}
