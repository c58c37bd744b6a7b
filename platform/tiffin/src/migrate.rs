//! `tiffin migrate`: brings the database of a service up to date before its release starts.

use anyhow::{Context, Result};
use tiffin_chassis::Env;

use crate::{database, services::Service};

/// True unless `TIFFIN_MIGRATE` is `off`: a service then waits for this command.
pub fn by_itself(env: &Env) -> Result<bool> {
    match env.get("TIFFIN_MIGRATE") {
        None | Some("on") => Ok(true),
        Some("off") => Ok(false),
        Some(other) => {
            anyhow::bail!("TIFFIN_MIGRATE can't be read: {other:?} is neither `on` nor `off`")
        }
    }
}

/// Applies the missing steps to the database of `DATABASE_URL`, and says which.
pub async fn run(service: Service, env: &Env) -> Result<()> {
    let name = service.name();
    let own = service
        .migrations()
        .with_context(|| format!("the {name} service has no database"))?;
    let pool = database::pool(env.required("DATABASE_URL")?, name, 1)?;
    let applied = database::migrate(&pool, own).await?;
    pool.close().await;
    for step in &applied {
        println!("{name}: applied {step}");
    }
    println!("{name}: the database is at {}", database::schema(own));
    Ok(())
}
