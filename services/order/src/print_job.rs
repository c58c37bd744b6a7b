//! A ticket that is printed in a restaurant's kitchen, and its states.

use serde::{Deserialize, Serialize};
use tiffin_chassis::refusals;
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;
use uuid::Uuid;

/// The time in which an agent prints a claimed ticket. After it the ticket may have been printed.
pub const LEASE: Duration = Duration::minutes(2);
/// The time that a ticket waits for the rest of its orders to be confirmed.
pub const GATHERING: Duration = Duration::seconds(20);
/// The age at which a ticket is no longer printed.
pub const MAX_AGE: Duration = Duration::days(1);
/// The silence after which an agent counts as away.
pub const SILENCE: Duration = Duration::minutes(2);

refusals! {
    /// The reason why nothing is printed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PrintRefusal {
        NoRestaurant = 404, "order.printing-restaurant-not-found", "There is no such restaurant.";
        NotYours = 403, "order.printing-not-yours", "This restaurant belongs to another owner.";
        TooManyRestaurants =
            422, "order.printing-too-many-restaurants",
            "An agent prints for 1 to 50 restaurants.", at "restaurantIds";
        Off =
            409, "order.printing-off",
            "No printer is set up for this restaurant.";
        NothingToPrint =
            409, "order.printing-nothing", "None of this ticket's orders is confirmed.";
        NoJob = 404, "order.print-job-not-found", "There is no such print job.";
        NotHeld =
            409, "order.print-job-not-held", "This print job is not held by this agent.";
    }
}

/// The reason for a print job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PrintJobKind)]
pub enum Kind {
    First,
    /// Dishes that were confirmed after the ticket was printed.
    Added,
    /// The owner asked for it.
    Reprint,
}

/// The reason why a ticket is not on paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrintProblem {
    NoPaper,
    CoverOpen,
    /// The printer reports an error.
    PrinterFault,
    /// The printer can't be reached.
    PrinterAway,
    /// The printer took the ticket and did not confirm it.
    Unconfirmed,
    /// The agent was stopped while it printed.
    Interrupted,
    /// The agent does not call.
    AgentAway,
}

/// The result of a print job, as its agent reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrintOutcome {
    Printed,
    /// No byte went to the printer. The ticket waits again.
    Unsent,
    /// It may have been printed.
    Doubtful,
}

/// The state of a ticket's printing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrintState {
    Waiting,
    Printed,
    /// It may have been printed.
    Doubtful,
}

/// A ticket on paper.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrintJob {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub kind: Kind,
    pub restaurant_name: String,
    /// The code of the first order, as the board shows it.
    pub code: String,
    /// The number of further orders.
    pub more: usize,
    /// `19:42`, in the restaurant's time zone.
    pub placed_at: String,
    /// The promised time, in the restaurant's time zone.
    pub due_at: String,
    /// The customer's first name.
    pub customer: Option<String>,
    pub is_paid: bool,
    pub lines: Vec<PrintLine>,
}

/// A dish of a ticket.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrintLine {
    pub quantity: i32,
    pub dish: String,
    /// The customer's words to the kitchen about it.
    pub note: Option<String>,
}

/// The printing of a ticket since its last reprint.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrintMark {
    pub checkout_id: Uuid,
    pub restaurant_id: Uuid,
    pub state: PrintState,
    /// The reason why it is not printed, if there is one.
    pub problem: Option<PrintProblem>,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

impl Kind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Added => "added",
            Self::Reprint => "reprint",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Self::First, Self::Added, Self::Reprint]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

impl PrintProblem {
    const ALL: [Self; 7] = [
        Self::NoPaper,
        Self::CoverOpen,
        Self::PrinterFault,
        Self::PrinterAway,
        Self::Unconfirmed,
        Self::Interrupted,
        Self::AgentAway,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoPaper => "no_paper",
            Self::CoverOpen => "cover_open",
            Self::PrinterFault => "printer_fault",
            Self::PrinterAway => "printer_away",
            Self::Unconfirmed => "unconfirmed",
            Self::Interrupted => "interrupted",
            Self::AgentAway => "agent_away",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == text)
    }
}

impl PrintState {
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "waiting" => Some(Self::Waiting),
            "printed" => Some(Self::Printed),
            "doubtful" => Some(Self::Doubtful),
            _ => None,
        }
    }
}
