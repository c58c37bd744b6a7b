//! Accounts. Names, e-mail addresses and phones travel in these events and in no others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Role, UserId, envelope::events};

/// Who somebody is, whole, as it is after the event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserProfileV1 {
    pub user_id: UserId,
    pub email: String,
    pub role: Role,
    pub first_name: String,
    pub last_name: String,
    pub phone: String,
    pub address: String,
    /// A picture's URL.
    pub image: Option<String>,
    /// Where they are delivered to: degrees, unknown until they set it.
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    pub verified: bool,
}

/// Whose account, and what it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserRefV1 {
    pub user_id: UserId,
    pub role: Role,
}

events! {
    /// What happens to an account.
    UserEvent: "user" in Users by "user" {
        Registered(UserProfileV1) = "registered", "v1", "An account was made.";
        Verified(UserRefV1) = "verified", "v1", "The owner of an account proved that its e-mail address is theirs.";
        Updated(UserProfileV1) = "updated", "v1", "A profile changed.";
        Blocked(UserRefV1) = "blocked", "v1", "An administrator shut somebody out; their tokens end at once.";
        Unblocked(UserRefV1) = "unblocked", "v1", "An administrator let somebody in again.";
        PasswordChanged(UserRefV1) = "password_changed", "v1", "A password changed; tokens from before it end at once.";
        Deleted(UserRefV1) = "deleted", "v1", "An account is gone; its tokens end at once.";
    }
}
