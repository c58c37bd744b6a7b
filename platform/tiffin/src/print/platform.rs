//! The calls of the order service.

use std::time::Duration;

use anyhow::Result;
use reqwest::{Method, RequestBuilder};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    journal::Entry,
    printer::{Printout, Problem},
    ticket::Ticket,
};
use crate::client::{
    Client,
    failure::{Exit, Failure},
};

/// The longest wait for an answer.
const TIMEOUT: Duration = Duration::from_secs(15);

pub struct Platform {
    client: Client,
    restaurants: Vec<Uuid>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Printing {
    has_ticket: bool,
}

#[derive(Deserialize)]
struct Claimed {
    job: Option<Ticket>,
}

impl Platform {
    pub const fn new(client: Client, restaurants: Vec<Uuid>) -> Self {
        Self {
            client,
            restaurants,
        }
    }

    pub fn url(&self) -> &str {
        &self.client.url
    }

    async fn call(&self, method: Method, path: &[&str]) -> Result<RequestBuilder> {
        Ok(self.client.order(method, path).await?.timeout(TIMEOUT))
    }

    /// Turns printing on and shows the owner the printer's state. Returns true if a ticket waits.
    pub async fn has_ticket(&self, problem: Option<Problem>) -> Result<bool> {
        let body = json!({ "restaurantIds": self.restaurants, "problem": problem });
        let call = self.call(Method::PUT, &["printing"]).await?.json(&body);
        let answer: Printing = self.client.answer(call).await?;
        Ok(answer.has_ticket)
    }

    pub async fn turn_off(&self) -> Result<()> {
        for restaurant in &self.restaurants {
            let path = ["printing", &restaurant.to_string()];
            let call = self.call(Method::DELETE, &path).await?;
            self.client.answer::<Value>(call).await?;
        }
        Ok(())
    }

    /// The ticket that the agent claimed before, or the next one.
    pub async fn claim(&self, agent: Uuid) -> Result<Option<Ticket>> {
        let body = json!({ "agentId": agent, "restaurantIds": self.restaurants });
        let path = ["print-jobs", "claim"];
        let call = self.call(Method::POST, &path).await?.json(&body);
        let answer: Claimed = self.client.answer(call).await?;
        Ok(answer.job)
    }

    /// Reports the result of a ticket. A ticket that is another agent's now, or gone, needs no report.
    pub async fn report(&self, agent: Uuid, entry: Entry) -> Result<()> {
        let (outcome, problem) = match entry.printout {
            Some(Printout::Printed) => ("printed", None),
            Some(Printout::Unsent(problem)) => ("unsent", Some(problem)),
            Some(Printout::Doubtful(problem)) => ("doubtful", Some(problem)),
            None => ("doubtful", Some(Problem::Interrupted)),
        };
        let body = json!({ "agentId": agent, "outcome": outcome, "problem": problem });
        let path = ["print-jobs", "report", &entry.ticket.to_string()];
        let call = self.call(Method::PUT, &path).await?.json(&body);
        match self.client.answer::<Value>(call).await {
            Err(error) if is_settled(&error) => Ok(()),
            answer => answer.map(drop),
        }
    }
}

fn is_settled(error: &anyhow::Error) -> bool {
    let failure = error.downcast_ref::<Failure>();
    failure.is_some_and(|failure| [Exit::Refused, Exit::NotFound].contains(&failure.exit))
}
