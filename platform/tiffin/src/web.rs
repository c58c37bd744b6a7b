//! The web app's files, its configuration, and its content policy.

mod config;
mod document;
mod policy;
mod preloads;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result};
use axum::{
    Json, Router,
    body::Bytes,
    extract::{Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};
use http::{HeaderName, HeaderValue, Method, header};
use serde_json::Value;
use tiffin_chassis::{Problem, refusal::NoOperation};
use tower_http::{
    compression::CompressionLayer,
    services::{ServeDir, ServeFile},
    set_header::SetResponseHeaderLayer,
};

use self::preloads::Preloads;
pub use config::WebConfig;

/// Paths of the services. An unknown path below them is not a page of the app.
const SERVICES: [&str; 6] = [
    "/api/",
    "/.well-known/",
    "/internal/",
    "/metrics",
    "/storage/",
    "/live",
];

/// Everything that is not a service's: files, `/config.json`, the documents of the interface with a page
/// to browse them at `/docs`, and the app itself on any other path.
pub fn router(folder: &Path, config: &WebConfig, documents: &Documents) -> Result<Router> {
    let answer = config.answer();
    let document = document::with_configuration(folder, &answer)?;
    let policy = HeaderValue::from_str(&policy::content_security_policy(config, &document))
        .context("a URL of the web app's configuration can't be in a header")?;
    let document = text_route("text/html; charset=utf-8", document);
    let worker = document::worker(folder, &answer)?;
    // Names of built files carry their content's hash. The build leaves a Brotli copy beside each; what has
    // none, and browsers that take none, get gzip.
    let assets = |folder: PathBuf| {
        let files = ServeDir::new(folder).precompressed_br();
        Router::new()
            .fallback_service(files)
            .layer(SetResponseHeaderLayer::if_not_present(
                header::CACHE_CONTROL,
                cache_immutably,
            ))
    };
    let docs = folder.join("docs");
    let page = ServeFile::new(docs.join("index.html"));
    let files = ServeDir::new(folder)
        .append_index_html_on_directories(false)
        .precompressed_br()
        .fallback(document.clone());
    let preloads = Arc::new(Preloads::read(folder)?);
    let pages = Router::new()
        .fallback_service(files)
        .layer(middleware::from_fn_with_state(preloads, name_preloads));
    let mut router = Router::new()
        .route("/index.html", document)
        .route("/config.json", get(async move || Json(answer)))
        .route("/sw.js", text_route("text/javascript", worker))
        .route("/openapi.json", document_route(&documents.openapi)?)
        .route("/asyncapi.json", document_route(&documents.asyncapi)?)
        .route_service("/docs", page.clone())
        .route_service("/docs/", page)
        .nest_service("/docs/assets", assets(docs.join("assets")))
        .nest_service("/assets", assets(folder.join("assets")))
        .fallback_service(pages)
        .layer(middleware::from_fn(only_pages))
        .layer(CompressionLayer::new().gzip(true))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::VARY,
            HeaderValue::from_static("accept-encoding"),
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-cache"),
        ))
        .layer(SetResponseHeaderLayer::overriding(
            header::CONTENT_SECURITY_POLICY,
            policy,
        ));
    for (name, value) in policy::HEADERS {
        router = router.layer(SetResponseHeaderLayer::overriding(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        ));
    }
    Ok(router)
}

/// The documents of the services' interface and of their events and frames.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    pub openapi: Value,
    pub asyncapi: Value,
}

fn document_route(value: &Value) -> Result<MethodRouter> {
    let text = serde_json::to_vec(value)?;
    Ok(text_route("application/json", text))
}

/// Answers with a text. Readers share its bytes: those who read slowly hold no copies of hundreds of
/// kilobytes.
fn text_route(media_type: &'static str, text: impl Into<Bytes>) -> MethodRouter {
    let body = text.into();
    get(async move || ([(header::CONTENT_TYPE, media_type)], body))
}

fn cache_immutably(response: &Response) -> Option<HeaderValue> {
    let found = response.status().is_success();
    found.then(|| HeaderValue::from_static("public, max-age=31536000, immutable"))
}

/// Adds a `Link` header with the files of the page to its document.
async fn name_preloads(
    State(preloads): State<Arc<Preloads>>,
    request: Request,
    next: Next,
) -> Response {
    let languages = request.headers().get(header::ACCEPT_LANGUAGE);
    let languages = languages.and_then(|value| value.to_str().ok());
    let link = preloads
        .link(request.uri().path(), languages.unwrap_or_default())
        .cloned();
    let mut response = next.run(request).await;
    if let Some(link) = link {
        let headers = response.headers_mut();
        headers.insert(header::LINK, link);
        headers.insert(
            header::VARY,
            HeaderValue::from_static("accept-encoding, accept-language"),
        );
    }
    response
}

/// Serves the app's page on any path of the app, but not on a service's, and only for reading.
async fn only_pages(request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let path = request.uri().path();
    let of_service = SERVICES.iter().any(|service| path.starts_with(service));
    if reads && !of_service {
        return next.run(request).await;
    }
    Problem::from(NoOperation::Path).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use serde_json::json;
    use tiffin_chassis::Env;
    use tower::ServiceExt;

    use super::*;

    async fn ask(path: &str) -> Response {
        ask_for(path, "gzip").await
    }

    async fn ask_for(path: &str, encodings: &str) -> Response {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("assets")).unwrap();
        let page = "<!doctype html><head></head>";
        std::fs::write(folder.path().join("index.html"), page).unwrap();
        std::fs::write(folder.path().join("sw.js"), "const FILES = []").unwrap();
        std::fs::write(
            folder.path().join("assets/app-1a2b.js"),
            "export default 1\n".repeat(100),
        )
        .unwrap();
        std::fs::write(folder.path().join("assets/app-1a2b.js.br"), "smaller").unwrap();
        let table = json!({
            "pages": [{ "path": "/cart", "files": ["/assets/app-1a2b.js"], "texts": [] }],
            "texts": { "en": {} },
        });
        std::fs::write(folder.path().join("preloads.json"), table.to_string()).unwrap();
        std::fs::create_dir(folder.path().join("docs")).unwrap();
        std::fs::write(folder.path().join("docs/index.html"), "the interface").unwrap();
        let config = WebConfig::read(&Env::default()).unwrap();
        let documents = Documents {
            openapi: json!({ "openapi": "3.1.0" }),
            asyncapi: json!({ "asyncapi": "3.0.0" }),
        };
        let app = router(folder.path(), &config, &documents).unwrap();
        let request = Request::get(path)
            .header("accept-encoding", encodings)
            .body(Body::empty())
            .unwrap();
        app.oneshot(request).await.unwrap()
    }

    fn header<'a>(response: &'a Response, name: &str) -> &'a str {
        response
            .headers()
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    #[tokio::test]
    async fn any_page_of_the_app_is_its_one_document() {
        for path in ["/", "/cart", "/product/1", "/admin/booking"] {
            let response = ask(path).await;
            assert_eq!(response.status(), 200, "{path}");
            assert_eq!(header(&response, "cache-control"), "no-cache");
            assert!(header(&response, "content-type").starts_with("text/html"));
            assert!(header(&response, "content-security-policy").contains("script-src 'self';"));
            assert_eq!(header(&response, "x-content-type-options"), "nosniff");
        }
    }

    #[tokio::test]
    async fn a_page_names_what_it_is_made_of() {
        let page = ask("/cart").await;
        let link = "</assets/app-1a2b.js>; rel=modulepreload";
        assert_eq!(header(&page, "link"), link);
        assert!(header(&page, "vary").contains("accept-language"));
        for path in ["/nowhere", "/index.html", "/assets/app-1a2b.js", "/docs"] {
            assert_eq!(header(&ask(path).await, "link"), "", "{path}");
        }
    }

    #[tokio::test]
    async fn built_files_are_cached_and_compressed() {
        let response = ask("/assets/app-1a2b.js").await;
        assert_eq!(response.status(), 200);
        assert!(header(&response, "cache-control").contains("immutable"));
        assert_eq!(header(&response, "content-encoding"), "gzip");
        let smallest = ask_for("/assets/app-1a2b.js", "gzip, br").await;
        assert_eq!(header(&smallest, "content-encoding"), "br");
        assert_eq!(header(&smallest, "content-type"), "text/javascript");
        assert_eq!(header(&smallest, "vary"), "accept-encoding");
        assert!(header(&smallest, "cache-control").contains("immutable"));
        let gone = ask("/assets/app-9.js").await;
        assert_eq!(
            (gone.status().as_u16(), header(&gone, "cache-control")),
            (404, "no-cache")
        );
    }

    #[tokio::test]
    async fn what_no_service_knows_is_no_page() {
        assert_eq!(ask("/api/v1/nothing").await.status(), 404);
    }

    #[tokio::test]
    async fn the_interface_can_be_browsed_and_read() {
        for (path, media) in [
            ("/docs", "text/html"),
            ("/docs/", "text/html"),
            ("/openapi.json", "application/json"),
            ("/asyncapi.json", "application/json"),
        ] {
            let response = ask(path).await;
            assert_eq!(response.status(), 200, "{path}");
            let kind = header(&response, "content-type");
            assert!(kind.starts_with(media), "{path}: {kind}");
            assert!(header(&response, "content-security-policy").contains("script-src 'self';"));
        }
    }

    #[tokio::test]
    async fn the_configuration_names_every_service() {
        let response = ask("/config.json").await;
        let body = axum::body::to_bytes(response.into_body(), usize::MAX)
            .await
            .unwrap();
        // Sent compressed; what it holds is tested where it is made.
        assert!(!body.is_empty());
    }
}
