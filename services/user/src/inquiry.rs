//! An inquiry: a question to the administrators, and their answer.

use tiffin_chassis::refusals;
use tiffin_events::{
    InquiryId, UserId,
    inquiry::{InquiryEvent, InquiryRefV1},
};
use time::OffsetDateTime;

/// One question, with its answer once there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Inquiry {
    pub id: InquiryId,
    /// Counts the inquiry's events: 1, 2, 3 …
    pub sequence: i64,
    /// The account that asked.
    pub author: UserId,
    pub message: String,
    pub answer: Option<Answer>,
    pub created_at: OffsetDateTime,
    /// The time of the last change of message or answer.
    pub updated_at: OffsetDateTime,
}

/// An administrator's answer, and the time of its last change.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub text: String,
    pub at: OffsetDateTime,
}

/// New words for an inquiry; what is `None` stays.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    pub message: Option<String>,
    pub response: Option<String>,
}

/// The account that acts on an inquiry.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    pub id: UserId,
    pub is_admin: bool,
}

refusals! {
    /// The reason why an inquiry can't be changed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum InquiryRefusal {
        /// Or it is another account's, which is not revealed.
        Unknown = 404, "user.inquiry-not-found", "There is no such inquiry.";
        NotTheAuthor = 403, "user.inquiry-not-yours", "Only its author may change the message.";
        NotAnAdmin = 403, "user.response-not-yours", "Only an administrator may respond.";
    }
}

impl Inquiry {
    /// Asks.
    pub fn open(
        id: InquiryId,
        author: UserId,
        message: String,
        now: OffsetDateTime,
    ) -> (Self, InquiryEvent) {
        let inquiry = Self {
            id,
            sequence: 1,
            author,
            message,
            answer: None,
            created_at: now,
            updated_at: now,
        };
        let event = InquiryEvent::Opened(inquiry.reference());
        (inquiry, event)
    }

    /// Puts the question in other words, answers it, or both; an edit that changes nothing makes no
    /// event.
    pub fn edit(
        &mut self,
        by: Reader,
        edit: Edit,
        now: OffsetDateTime,
    ) -> Result<Vec<InquiryEvent>, InquiryRefusal> {
        self.exists_for(by)?;
        if edit.message.is_some() && by.id != self.author {
            return Err(InquiryRefusal::NotTheAuthor);
        }
        if edit.response.is_some() && !by.is_admin {
            return Err(InquiryRefusal::NotAnAdmin);
        }
        let mut events = Vec::new();
        if let Some(message) = edit.message.filter(|message| *message != self.message) {
            self.message = message;
            events.push(InquiryEvent::Updated(self.reference()));
        }
        let said = self.answer.as_ref().map(|answer| answer.text.as_str());
        if let Some(text) = edit.response.filter(|text| said != Some(text.as_str())) {
            self.answer = Some(Answer { text, at: now });
            events.push(InquiryEvent::Answered(self.reference()));
        }
        if !events.is_empty() {
            self.updated_at = now;
        }
        Ok(events)
    }

    /// Takes it away for good.
    pub fn delete(&self, by: Reader) -> Result<InquiryEvent, InquiryRefusal> {
        self.exists_for(by)?;
        Ok(InquiryEvent::Deleted(self.reference()))
    }

    fn exists_for(&self, reader: Reader) -> Result<(), InquiryRefusal> {
        if reader.is_admin || reader.id == self.author {
            Ok(())
        } else {
            Err(InquiryRefusal::Unknown)
        }
    }

    fn reference(&self) -> InquiryRefV1 {
        InquiryRefV1 {
            inquiry_id: self.id,
            user_id: self.author,
        }
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::{Event, InquiryId, UserId};
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::{Edit, Inquiry, InquiryRefusal, Reader};

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    fn reader(id: u128, is_admin: bool) -> Reader {
        Reader {
            id: UserId(Uuid::from_u128(id)),
            is_admin,
        }
    }

    fn inquiry() -> Inquiry {
        let author = reader(1, false).id;
        Inquiry::open(InquiryId(Uuid::nil()), author, "Do you cater?".into(), NOW).0
    }

    #[test]
    fn the_author_asks_and_an_administrator_answers() {
        use InquiryRefusal::{NotAnAdmin, NotTheAuthor, Unknown};
        let (author, stranger, admin) = (reader(1, false), reader(2, false), reader(3, true));
        let author_and_admin = reader(1, true);
        for (by, message, response, expected) in [
            (author, Some("Still?"), None, Ok(vec!["updated"])),
            (author, Some("Do you cater?"), None, Ok(vec![])),
            (author, None, Some("Yes"), Err(NotAnAdmin)),
            (author, Some("Still?"), Some("Yes"), Err(NotAnAdmin)),
            (admin, None, Some("Yes"), Ok(vec!["answered"])),
            (admin, Some("Still?"), None, Err(NotTheAuthor)),
            (stranger, Some("Still?"), None, Err(Unknown)),
            (stranger, None, Some("Yes"), Err(Unknown)),
            (
                author_and_admin,
                Some("Still?"),
                Some("Yes"),
                Ok(vec!["updated", "answered"]),
            ),
        ] {
            let mut inquiry = inquiry();
            let edit = Edit {
                message: message.map(str::to_owned),
                response: response.map(str::to_owned),
            };
            let before = inquiry.clone();
            let events = inquiry.edit(by, edit, NOW);
            assert_eq!(events.is_err(), expected.is_err());
            assert!(events.is_ok() || inquiry == before, "{by:?} changed it");
            let names = events.map(|events| events.iter().map(Event::name).collect());
            assert_eq!(names, expected, "{by:?} {message:?} {response:?}");
        }
    }

    #[test]
    fn the_same_answer_again_is_no_answer() {
        let mut inquiry = inquiry();
        let edit = || Edit {
            message: None,
            response: Some("Yes".into()),
        };
        let admin = reader(3, true);
        assert_eq!(inquiry.edit(admin, edit(), NOW).unwrap().len(), 1);
        assert_eq!(inquiry.edit(admin, edit(), NOW).unwrap().len(), 0);
    }

    #[test]
    fn author_and_administrators_may_delete() {
        for (by, allowed) in [
            (reader(1, false), true),
            (reader(3, true), true),
            (reader(2, false), false),
        ] {
            assert_eq!(inquiry().delete(by).is_ok(), allowed, "{by:?}");
        }
    }
}
