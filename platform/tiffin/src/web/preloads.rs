//! The files of each page of the web app, for the `Link` header of its document.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result};
use http::HeaderValue;
use serde::Deserialize;

/// The language for readers of none of the app's languages.
const ENGLISH: &str = "en";

/// `preloads.json`, which the web app's build writes (`web/preloads.ts`).
#[derive(Debug, Deserialize)]
struct Table {
    pages: Vec<Page>,
    /// The files of texts by language and name.
    texts: BTreeMap<String, BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
struct Page {
    /// Its address as react-router writes it: `/product/:key`.
    path: String,
    /// Scripts and style sheets.
    files: Vec<String>,
    /// The names of its files of texts.
    texts: Vec<String>,
}

/// `Link` headers by page and language. A browser fetches what they name along with the app, and not
/// after it.
#[derive(Debug)]
pub struct Preloads {
    pages: matchit::Router<BTreeMap<String, HeaderValue>>,
}

impl Preloads {
    /// Reads the table in the folder of the built app.
    pub fn read(folder: &Path) -> Result<Self> {
        let file = folder.join("preloads.json");
        let text = fs::read(&file).with_context(|| file.display().to_string())?;
        let table: Table =
            serde_json::from_slice(&text).with_context(|| file.display().to_string())?;
        let mut pages = matchit::Router::new();
        for page in &table.pages {
            let links = table
                .texts
                .iter()
                .map(|(language, texts)| Ok((language.clone(), links(page, texts)?)))
                .collect::<Result<_>>()?;
            pages
                .insert(pattern(&page.path), links)
                .with_context(|| format!("{}: {}", file.display(), page.path))?;
        }
        Ok(Self { pages })
    }

    /// The header of the page at `path` for a reader of `languages`, an `Accept-Language` header.
    pub fn link(&self, path: &str, languages: &str) -> Option<&HeaderValue> {
        let path = match path.trim_end_matches('/') {
            "" => "/",
            path => path,
        };
        let links = self.pages.at(path).ok()?.value;
        languages
            .split(',')
            .filter_map(|language| language.trim().get(..2))
            .chain([ENGLISH])
            .find_map(|language| links.get(&language.to_lowercase()))
    }
}

fn links(page: &Page, texts: &BTreeMap<String, String>) -> Result<HeaderValue> {
    let texts = page.texts.iter().filter_map(|name| texts.get(name));
    let links: Vec<_> = page
        .files
        .iter()
        .chain(texts)
        .map(|file| {
            if Path::new(file)
                .extension()
                .is_some_and(|kind| kind == "css")
            {
                format!("<{file}>; rel=preload; as=style; crossorigin")
            } else {
                format!("<{file}>; rel=modulepreload")
            }
        })
        .collect();
    Ok(HeaderValue::from_str(&links.join(", "))?)
}

/// `/product/:key` as `/product/{key}`.
fn pattern(path: &str) -> String {
    let segments = path.split('/').map(|segment| {
        segment
            .strip_prefix(':')
            .map_or_else(|| segment.to_owned(), |name| format!("{{{name}}}"))
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preloads() -> Preloads {
        let folder = tempfile::tempdir().unwrap();
        let table = r#"{
            "pages": [
                { "path": "/", "files": ["/assets/home.js"], "texts": ["app"] },
                { "path": "/product/:key", "files": ["/assets/p.js", "/assets/p.css"], "texts": ["app", "catalogue"] }
            ],
            "texts": {
                "en": { "app": "/assets/app-en.js", "catalogue": "/assets/catalogue-en.js" },
                "si": { "app": "/assets/app-si.js" }
            }
        }"#;
        fs::write(folder.path().join("preloads.json"), table).unwrap();
        Preloads::read(folder.path()).unwrap()
    }

    #[test]
    fn a_page_names_its_files_in_the_readers_language() {
        let preloads = preloads();
        let link = |path, languages| {
            let found = preloads.link(path, languages);
            found.map(|value| value.to_str().unwrap().to_owned())
        };
        assert_eq!(
            link("/product/p1", "fr, en;q=0.5").as_deref(),
            Some(
                "</assets/p.js>; rel=modulepreload, </assets/p.css>; rel=preload; as=style; crossorigin, \
                 </assets/app-en.js>; rel=modulepreload, </assets/catalogue-en.js>; rel=modulepreload"
            )
        );
        let sinhala =
            "</assets/home.js>; rel=modulepreload, </assets/app-si.js>; rel=modulepreload";
        assert_eq!(link("/", "si-LK,en").as_deref(), Some(sinhala));
        assert_eq!(link("/product/p1/", ""), link("/product/p1", "en"));
    }

    #[test]
    fn an_address_that_is_no_page_has_no_link() {
        let preloads = preloads();
        assert_eq!(preloads.link("/nowhere", "en"), None);
        assert_eq!(preloads.link("/product", "en"), None);
    }

    #[test]
    fn an_app_without_its_table_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Preloads::read(folder.path()).is_err());
    }
}
