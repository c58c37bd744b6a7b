use anyhow::{Context, Result};
use http::Method;
use serde::Deserialize;
use serde_json::json;
use time::Duration;

use super::{
    accounts::DemoAccounts,
    platform::{DemoAccount, DemoPlatform},
};

/// A customer's question after an order, and the administrator's answer.
#[derive(Deserialize)]
pub struct Inquiry {
    message: String,
    /// `None` while it is not answered.
    response: Option<String>,
}

impl Inquiry {
    /// Asks a quarter of an hour later; the answer takes an hour.
    pub async fn ask(
        &self,
        platform: &DemoPlatform,
        accounts: &DemoAccounts,
        customer: &DemoAccount,
    ) -> Result<()> {
        let path = "/api/v1/inquiry";
        platform.clock.advance(Duration::minutes(15));
        let question = json!({ "message": self.message });
        let asked = platform
            .call(customer, Method::POST, path, Some(question))
            .await?;
        let Some(response) = &self.response else {
            return Ok(());
        };
        platform.clock.advance(Duration::hours(1));
        let id = asked["inquiry"]["_id"]
            .as_str()
            .context("the answer names no inquiry")?;
        let answer = json!({ "response": response });
        platform
            .call(
                &accounts.admin,
                Method::PUT,
                &format!("{path}/{id}"),
                Some(answer),
            )
            .await?;
        Ok(())
    }
}
