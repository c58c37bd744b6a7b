//! `tiffin openapi`: the services' HTTP interface, as an OpenAPI document.

mod links;
mod problems;

use std::{io::Write, sync::Arc};

use anyhow::Result;
use async_nats::jetstream;
use serde_json::{Value, json};
use sqlx::postgres::PgPoolOptions;
use tiffin_bus::{Broker, seal::Keys};
use tiffin_chassis::{Env, Revocations, Verifier};
use tiffin_events::Clock;
use tokio_util::sync::CancellationToken;
use utoipa::openapi::{
    ComponentsBuilder, Info, OpenApi, OpenApiBuilder, SecurityRequirement,
    security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};

use crate::services::{Dependencies, Service};

/// Prints the document of one service, or of all together.
pub async fn print(service: Option<Service>) -> Result<()> {
    let services = service.map_or_else(|| Service::ALL.to_vec(), |service| vec![service]);
    let mut text = serde_json::to_string_pretty(&document(&services).await?)?;
    text.push('\n');
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// The document of some services, built without servers behind them.
pub async fn document(services: &[Service]) -> Result<Value> {
    let mut described = Vec::new();
    for service in services {
        described.push(describe(*service).await?);
    }
    merge(described)
}

/// Merges the services' descriptions into one document.
pub fn merge(described: Vec<OpenApi>) -> Result<Value> {
    let mut document = empty();
    for service in described {
        document.merge(service);
    }
    let mut document = serde_json::to_value(document)?;
    drop_defaults(&mut document["components"]["schemas"]);
    require_tokens(&mut document);
    problems::write(&mut document)?;
    links::write(&mut document);
    Ok(document)
}

/// Adds the token to operations that name the roles of their callers.
fn require_tokens(document: &mut Value) {
    for operation in members(&mut document["paths"]).flat_map(members) {
        let is_open = |roles: &Value| roles.as_array().is_none_or(|all| all.contains(&json!("*")));
        if operation
            .get("x-roles")
            .is_some_and(|roles| !is_open(roles))
        {
            operation["security"] = json!([{ "bearer": [] }]);
        }
    }
}

/// Drops the defaults of forms. They are read leniently, so that all missing fields are reported at once,
/// and have a default for everything. For a client, required fields have none, and an omitted field needs
/// none.
fn drop_defaults(schemas: &mut Value) {
    for schema in members(schemas) {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, property) in schema.get_mut("properties").into_iter().flat_map(fields) {
            let is_required = required.iter().any(|one| one == name.as_str());
            if let Some(property) = property.as_object_mut()
                && (is_required || property.get("default") == Some(&Value::Null))
            {
                property.remove("default");
            }
        }
    }
}

fn members(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    fields(value).map(|(_, member)| member)
}

fn fields(value: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    value.as_object_mut().into_iter().flatten()
}

fn empty() -> OpenApi {
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .build();
    let components = ComponentsBuilder::new()
        .security_scheme("bearer", SecurityScheme::Http(bearer))
        .build();
    let info = Info::builder()
        .title("Tiffin")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Food ordering and delivery."))
        .build();
    OpenApiBuilder::new()
        .info(info)
        .components(Some(components))
        .security(Some([
            SecurityRequirement::default(),
            SecurityRequirement::new("bearer", Vec::<String>::new()),
        ]))
        .build()
}

/// Builds a service without servers and returns its description.
async fn describe(service: Service) -> Result<OpenApi> {
    let nowhere = "127.0.0.1:1";
    let client = async_nats::ConnectOptions::new()
        .retry_on_initial_connect()
        .connect(nowhere)
        .await?;
    let clock = Clock::system();
    let parts = service.assemble(Dependencies {
        pool: Some(PgPoolOptions::new().connect_lazy(&format!("postgres://{nowhere}"))?),
        broker: Broker {
            jetstream: jetstream::new(client.clone()),
            keys: Keys::new(client.clone()),
            client,
            caps: Arc::default(),
            archive: None,
        },
        verifier: Verifier::with_keys(
            &serde_json::json!({ "keys": [] }),
            clock.clone(),
            Revocations::default(),
        ),
        clock,
        env: Env::from_pairs([
            ("TIFFIN_USER_URL", "http://127.0.0.1:1"),
            ("TIFFIN_USER_INTERNAL_URL", "http://127.0.0.1:1"),
            ("TIFFIN_SERVICE_KEY", "none"),
            // 32 bytes that seal nothing.
            (
                "TIFFIN_MASTER_KEY",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            ),
        ]),
        stop: CancellationToken::new(),
    })?;
    Ok(parts.routes.into_openapi())
}

#[cfg(test)]
mod tests {
    use tiffin_events::services::SERVICES;

    use super::*;

    #[tokio::test]
    async fn every_code_is_of_an_area_and_in_kebab_case() {
        let document = document(&Service::ALL).await.unwrap();
        let areas = ["request", "server"].into_iter();
        let areas: Vec<_> = areas.chain(SERVICES.iter().map(|it| it.name)).collect();
        for code in document["x-problems"].as_object().unwrap().keys() {
            let (area, name) = code.split_once('.').unwrap();
            assert!(areas.contains(&area), "{code}");
            let is_kebab = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(name.chars().all(is_kebab), "{code}");
        }
    }

    #[tokio::test]
    async fn every_path_belongs_to_the_service_that_the_list_says() {
        let document = document(&Service::ALL).await.unwrap();
        let paths = document["paths"].as_object().unwrap();
        assert!(!paths.is_empty());
        for (path, operations) in paths {
            let mut owners = SERVICES
                .iter()
                .filter(|it| it.paths.iter().any(|start| path.starts_with(start)));
            let owner = owners
                .next()
                .unwrap_or_else(|| panic!("no service has {path}"));
            for operation in operations.as_object().unwrap().values() {
                if let Some(tags) = operation.get("tags") {
                    assert_eq!(tags[0], owner.name, "{path}");
                }
            }
        }
    }
}
