//! The roles of accounts.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An account's role, fixed when it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Admin,
    /// A restaurant owner.
    Restaurant,
    /// A driver.
    Delivery,
    Customer,
    /// Operates the event history, and nothing else. Accounts of other roles may have that right, too.
    Operator,
}

impl Role {
    pub const ALL: [Self; 5] = [
        Self::Admin,
        Self::Restaurant,
        Self::Delivery,
        Self::Customer,
        Self::Operator,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Restaurant => "restaurant",
            Self::Delivery => "delivery",
            Self::Customer => "customer",
            Self::Operator => "operator",
        }
    }

    /// True if every account of this role gets a hint of each event of this kind of aggregate: administrators for
    /// everything that they have lists and counts of, owners for the drivers that they choose from. The accounts that an
    /// event concerns get it in any case.
    pub fn gets_hints_of(self, aggregate: &str) -> bool {
        match self {
            Self::Admin => aggregate != "notification",
            Self::Restaurant => aggregate == "driver",
            Self::Delivery | Self::Customer | Self::Operator => false,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An unknown role.
#[derive(Debug, thiserror::Error)]
#[error("there is no role {0:?}")]
pub struct UnknownRole(String);

impl FromStr for Role {
    type Err = UnknownRole;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| UnknownRole(text.to_owned()))
    }
}
