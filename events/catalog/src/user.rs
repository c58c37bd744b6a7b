//! Accounts. Names, e-mail addresses and phones travel in these events and in no others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Role, UserId,
    envelope::events,
    personal::{Category, Mark},
};

/// An account's whole profile as it is after the event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserProfileV1 {
    pub user_id: UserId,
    #[schemars(extend("x-personal" = Mark::of_subject(Category::Email)))]
    pub email: String,
    pub role: Role,
    #[schemars(extend("x-personal" = Mark::of_subject(Category::Name)))]
    pub first_name: String,
    #[schemars(extend("x-personal" = Mark::of_subject(Category::Name)))]
    pub last_name: String,
    #[schemars(extend("x-personal" = Mark::of_subject(Category::Phone)))]
    pub phone: String,
    #[schemars(extend("x-personal" = Mark::of_subject(Category::Address)))]
    pub address: String,
    /// A picture's URL.
    #[schemars(extend("x-personal" = Mark::of_subject(Category::Picture)))]
    pub image: Option<String>,
    /// The latitude of the delivery address in degrees; unknown until the user sets it.
    #[schemars(extend("x-personal" = Mark::of_subject(Category::Place)))]
    pub lat: Option<f64>,
    #[schemars(extend("x-personal" = Mark::of_subject(Category::Place)))]
    pub lng: Option<f64>,
    pub verified: bool,
}

/// A reference to an account, with its role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserRefV1 {
    pub user_id: UserId,
    pub role: Role,
}

/// The reason why an administrator blocked an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BlockReason {
    /// Payments or orders that are not genuine.
    Fraud,
    /// Threats, insults or harassment.
    Abuse,
    /// Food or a vehicle that endangers people.
    Safety,
    /// Orders that are not fulfilled, or not collected, again and again.
    Unreliable,
    Other,
}

impl BlockReason {
    pub const ALL: [Self; 5] = [
        Self::Fraud,
        Self::Abuse,
        Self::Safety,
        Self::Unreliable,
        Self::Other,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fraud => "fraud",
            Self::Abuse => "abuse",
            Self::Safety => "safety",
            Self::Unreliable => "unreliable",
            Self::Other => "other",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text)
    }
}

/// The account that was blocked, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserBlockedV1 {
    #[serde(flatten)]
    pub user: UserRefV1,
    /// The reason, if the administrator gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<BlockReason>,
}

/// A block without a reason.
impl From<UserRefV1> for UserBlockedV1 {
    fn from(user: UserRefV1) -> Self {
        Self { user, reason: None }
    }
}

events! {
    /// The events of an account.
    UserEvent: "user" in Users by "user" {
        Registered(UserProfileV1) = "registered", "v1", "An account was made.";
        Verified(UserRefV1) = "verified", "v1", "The owner of an account proved that its e-mail address is theirs.";
        Updated(UserProfileV1) = "updated", "v1", "A profile changed.";
        Blocked(UserBlockedV1) = "blocked", "v1", "An administrator blocked an account; its tokens end at once.";
        Unblocked(UserRefV1) = "unblocked", "v1", "An administrator unblocked an account.";
        PasswordChanged(UserRefV1) = "password_changed", "v1", "A password changed; tokens from before it end at once.";
        Deleted(UserRefV1) = "deleted", "v1", "An account is gone; its tokens end at once.";
    }
}

impl UserEvent {
    /// The name of the event that ends an account.
    pub const DELETED: &str = "deleted";
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{BlockReason, UserBlockedV1, UserEvent, UserRefV1};
    use crate::{Event, Role, UserId};

    #[test]
    fn the_name_of_a_deletion_is_that_of_its_event() {
        let deleted = UserEvent::Deleted(UserRefV1 {
            user_id: UserId(Uuid::nil()),
            role: Role::Customer,
        });
        assert_eq!(deleted.name(), UserEvent::DELETED);
    }

    #[test]
    fn a_block_may_have_a_reason() {
        let user = UserRefV1 {
            user_id: UserId(Uuid::nil()),
            role: Role::Delivery,
        };
        let mut blocked = UserBlockedV1::from(user);
        let mut json = serde_json::json!({ "userId": Uuid::nil(), "role": "delivery" });
        assert_eq!(serde_json::to_value(&blocked).unwrap(), json);
        blocked.reason = Some(BlockReason::Unreliable);
        json["reason"] = "unreliable".into();
        assert_eq!(
            serde_json::from_value::<UserBlockedV1>(json).unwrap(),
            blocked
        );
    }

    #[test]
    fn reasons_are_read_as_they_are_written() {
        for reason in BlockReason::ALL {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
            assert_eq!(BlockReason::parse(reason.as_str()), Some(reason));
        }
        assert_eq!(BlockReason::parse("spite"), None);
    }
}
