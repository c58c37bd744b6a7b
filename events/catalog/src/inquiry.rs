//! What people ask the administrators. Neither question nor answer travels: people write what they
//! like in them, names and phones too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{InquiryId, UserId, envelope::events};

/// Which inquiry, and who asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InquiryRefV1 {
    pub inquiry_id: InquiryId,
    pub user_id: UserId,
}

events! {
    /// What happens to an inquiry.
    InquiryEvent: "inquiry" in Users by "user" {
        Opened(InquiryRefV1) = "opened", "v1", "Somebody asked something.";
        Updated(InquiryRefV1) = "updated", "v1", "The one who asked put it in other words.";
        Answered(InquiryRefV1) = "answered", "v1", "An administrator answered, or changed the answer.";
        Deleted(InquiryRefV1) = "deleted", "v1", "An inquiry is gone.";
    }
}
