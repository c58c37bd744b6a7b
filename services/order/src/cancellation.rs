//! A cancellation: the side that cancelled an order, with the reason and the note for the customer.

use serde::Serialize;
use tiffin_chassis::refusals;
use tiffin_events::{
    Role,
    order::{CancelReason, CancelledBy},
};
use utoipa::ToSchema;

/// The longest note, in characters.
const MAX_NOTE_LENGTH: usize = 200;

/// The side that cancelled an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = CancelledBy)]
pub enum Side {
    Customer,
    /// The restaurant's owner.
    Restaurant,
    Administrator,
    /// The restaurant did not answer in time, and the order was refused by itself.
    Deadline,
}

impl Side {
    const ALL: [Self; 4] = [
        Self::Customer,
        Self::Restaurant,
        Self::Administrator,
        Self::Deadline,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Restaurant => "restaurant",
            Self::Administrator => "administrator",
            Self::Deadline => "deadline",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.as_str() == text)
    }

    /// The side in an event, if it is an account.
    pub const fn account(self) -> Option<CancelledBy> {
        match self {
            Self::Customer => Some(CancelledBy::Customer),
            Self::Restaurant => Some(CancelledBy::Restaurant),
            Self::Administrator => Some(CancelledBy::Administrator),
            Self::Deadline => None,
        }
    }
}

/// The side that cancelled an order, and its words for the customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Cancellation {
    pub by: Side,
    /// The restaurant's or an administrator's reason, if they gave one.
    pub reason: Option<CancelReason>,
    /// A line to the customer.
    pub note: Option<String>,
}

refusals! {
    /// The reason why a cancellation is not taken as it was sent.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadCancellation {
        StaffGiveReasons =
            422, "order.reason-of-staff", "Only the restaurant and administrators give a reason.", at "reason";
        NoteTooLong =
            422, "order.note-too-long", "A note has at most 200 characters.", at "note";
    }
}

impl Cancellation {
    /// The cancellation of an order whose restaurant did not answer in time.
    pub const fn unanswered() -> Self {
        Self {
            by: Side::Deadline,
            reason: None,
            note: None,
        }
    }

    /// The cancellation by an account of this role. A note of spaces is none.
    pub fn new(
        role: Role,
        reason: Option<CancelReason>,
        note: Option<&str>,
    ) -> Result<Self, BadCancellation> {
        let by = match role {
            Role::Admin => Side::Administrator,
            Role::Restaurant => Side::Restaurant,
            Role::Customer | Role::Delivery | Role::Operator => Side::Customer,
        };
        let note = note.map(str::trim).filter(|note| !note.is_empty());
        if by == Side::Customer && (reason.is_some() || note.is_some()) {
            return Err(BadCancellation::StaffGiveReasons);
        }
        if note.is_some_and(|note| note.chars().count() > MAX_NOTE_LENGTH) {
            return Err(BadCancellation::NoteTooLong);
        }
        Ok(Self {
            by,
            reason,
            note: note.map(str::to_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::{Role, order::CancelReason};

    use super::{BadCancellation, Cancellation, Side};

    #[test]
    fn staff_give_a_reason_and_customers_need_none() {
        let sold_out = Some(CancelReason::SoldOut);
        for (role, by) in [
            (Role::Restaurant, Side::Restaurant),
            (Role::Admin, Side::Administrator),
        ] {
            let made = Cancellation::new(role, sold_out, Some("  No rice. ")).unwrap();
            assert_eq!((made.by, made.reason), (by, sold_out));
            assert_eq!(made.note.as_deref(), Some("No rice."));
            let bare = Cancellation::new(role, None, Some("  ")).unwrap();
            assert_eq!((bare.reason, bare.note), (None, None));
        }
        let customers = Cancellation::new(Role::Customer, None, None).unwrap();
        assert_eq!(customers.by, Side::Customer);
        for (reason, note) in [(sold_out, None), (None, Some("Because."))] {
            assert_eq!(
                Cancellation::new(Role::Customer, reason, note),
                Err(BadCancellation::StaffGiveReasons)
            );
        }
    }

    #[test]
    fn a_note_has_two_hundred_characters_of_any_script() {
        let longest = "අ".repeat(200);
        let made = Cancellation::new(Role::Admin, None, Some(&longest)).unwrap();
        assert_eq!(made.note, Some(longest.clone()));
        assert_eq!(
            Cancellation::new(Role::Admin, None, Some(&format!("{longest}!"))),
            Err(BadCancellation::NoteTooLong)
        );
    }
}
