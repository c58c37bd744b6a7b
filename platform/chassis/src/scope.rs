//! The part of a list that a caller may see.

use tiffin_events::Role;
use uuid::Uuid;

use crate::Caller;

/// The orders, deliveries or invoices that a caller may see: those of one customer, owner or driver. A `None`
/// does not narrow; an administrator's scope has nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    pub customer: Option<Uuid>,
    pub owner: Option<Uuid>,
    pub driver: Option<Uuid>,
}

impl Scope {
    pub fn of(caller: &Caller) -> Self {
        let id = Some(caller.id.0);
        match caller.role {
            // An operator has none, as a customer who never ordered.
            Role::Customer | Role::Operator => Self {
                customer: id,
                ..Self::default()
            },
            Role::Restaurant => Self {
                owner: id,
                ..Self::default()
            },
            Role::Delivery => Self {
                driver: id,
                ..Self::default()
            },
            Role::Admin => Self::default(),
        }
    }
}
