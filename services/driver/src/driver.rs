//! A driver and what may happen to them. Every transition returns the events it caused, or refuses;
//! an empty list means that nothing changed.

use tiffin_events::{
    UserId,
    driver::{DriverEvent, DriverProfileV1, DriverRefV1, VehicleType},
};
use time::OffsetDateTime;

use crate::error::Refusal;

#[cfg(test)]
mod tests;

/// A driver.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    pub id: UserId,
    pub vehicle_type: VehicleType,
    /// The national identity card's number; never in an event.
    pub dr_nic: String,
    /// True if they take deliveries.
    pub is_available: bool,
    /// True if a block made them unavailable.
    pub unavailable_by_block: bool,
    pub created_at: OffsetDateTime,
    /// The sequence of their last event.
    pub sequence: i64,
}

/// New values for some of a driver; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DriverChange {
    pub vehicle_type: Option<VehicleType>,
    pub dr_nic: Option<String>,
    pub is_available: Option<bool>,
}

pub type Transition = Result<Vec<DriverEvent>, Refusal>;

impl Driver {
    /// A driver who has just signed up. They take deliveries once they have set it: their e-mail address is not
    /// proven yet.
    pub fn register(
        id: UserId,
        vehicle_type: VehicleType,
        dr_nic: String,
        now: OffsetDateTime,
    ) -> Self {
        Self {
            id,
            vehicle_type,
            dr_nic,
            is_available: false,
            unavailable_by_block: false,
            created_at: now,
            sequence: 1,
        }
    }

    /// The event of their registration.
    pub fn registered(&self) -> DriverEvent {
        DriverEvent::Registered(self.profile())
    }

    /// Takes new values; a change that changes nothing makes no event. A blocked driver takes no
    /// deliveries.
    pub fn update(&mut self, change: DriverChange, is_blocked: bool) -> Transition {
        if is_blocked && change.is_available == Some(true) {
            return Err(Refusal::Blocked);
        }
        let before = self.clone();
        self.vehicle_type = change.vehicle_type.unwrap_or(self.vehicle_type);
        self.dr_nic = change.dr_nic.unwrap_or_else(|| before.dr_nic.clone());
        self.is_available = change.is_available.unwrap_or(self.is_available);
        let mut events = Vec::new();
        if self.vehicle_type != before.vehicle_type || self.dr_nic != before.dr_nic {
            events.push(DriverEvent::Updated(self.profile()));
        }
        if self.is_available != before.is_available {
            events.push(self.availability());
        }
        Ok(events)
    }

    /// Takes no deliveries from now on, because the account is closed.
    pub fn make_unavailable(&mut self) -> Vec<DriverEvent> {
        if !std::mem::replace(&mut self.is_available, false) {
            return Vec::new();
        }
        vec![self.availability()]
    }

    /// Takes no deliveries while the account is blocked.
    pub fn block(&mut self) -> Vec<DriverEvent> {
        let events = self.make_unavailable();
        self.unavailable_by_block |= !events.is_empty();
        events
    }

    /// Takes deliveries again after a block, if that made them unavailable.
    pub fn unblock(&mut self) -> Vec<DriverEvent> {
        if !std::mem::replace(&mut self.unavailable_by_block, false) || self.is_available {
            return Vec::new();
        }
        self.is_available = true;
        vec![self.availability()]
    }

    fn availability(&self) -> DriverEvent {
        let reference = DriverRefV1 { driver_id: self.id };
        if self.is_available {
            DriverEvent::Available(reference)
        } else {
            DriverEvent::Unavailable(reference)
        }
    }

    fn profile(&self) -> DriverProfileV1 {
        DriverProfileV1 {
            driver_id: self.id,
            vehicle_type: self.vehicle_type,
            is_available: self.is_available,
        }
    }
}
