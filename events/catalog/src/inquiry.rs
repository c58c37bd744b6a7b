//! Questions to the administrators. The events carry neither question nor answer: people write what they
//! like in them, names and phones too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{InquiryId, UserId, envelope::events};

/// A reference to an inquiry, with the account that asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InquiryRefV1 {
    pub inquiry_id: InquiryId,
    pub user_id: UserId,
}

events! {
    /// The events of an inquiry.
    InquiryEvent: "inquiry" in Users by "user" {
        Opened(InquiryRefV1) = "opened", "v1", "A user asked the administrators something.";
        Updated(InquiryRefV1) = "updated", "v1", "The one who asked put it in other words.";
        Answered(InquiryRefV1) = "answered", "v1", "An administrator answered, or changed the answer.";
        Deleted(InquiryRefV1) = "deleted", "v1", "An inquiry is gone.";
    }
}
