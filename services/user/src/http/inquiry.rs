//! Inquiries: what they look like to those who may see them, and the calls about them.

pub(super) mod change;
pub(super) mod delete;
pub(super) mod list;
pub(super) mod open;

use serde::Serialize;
use tiffin_chassis::Caller;
use tiffin_events::InquiryId;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::{inquiry::Reader, store::inquiries::InquiryWithContact};

/// A question to the administrators, with its answer once there is one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Inquiry {
    #[serde(rename = "_id")]
    key: InquiryId,
    id: InquiryId,
    message: String,
    /// The administrator's answer; null until then.
    response: Option<String>,
    /// The author's e-mail address.
    email: String,
    /// The author's phone; absent if none was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    updated_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    answered_at: Option<OffsetDateTime>,
}

impl From<InquiryWithContact> for Inquiry {
    fn from(found: InquiryWithContact) -> Self {
        let inquiry = found.inquiry;
        let answered_at = inquiry.answer.as_ref().map(|answer| answer.at);
        Self {
            key: inquiry.id,
            id: inquiry.id,
            message: inquiry.message,
            response: inquiry.answer.map(|answer| answer.text),
            email: found.email,
            phone: Some(found.phone).filter(|phone| !phone.is_empty()),
            created_at: inquiry.created_at,
            updated_at: inquiry.updated_at,
            answered_at,
        }
    }
}

/// An inquiry, and what happened to it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct InquiryAnswer {
    message: String,
    inquiry: Inquiry,
}

impl InquiryAnswer {
    fn new(message: &str, found: InquiryWithContact) -> Self {
        Self {
            message: message.to_owned(),
            inquiry: found.into(),
        }
    }
}

fn reader(caller: &Caller) -> Reader {
    Reader {
        id: caller.id,
        is_admin: caller.is_admin(),
    }
}
