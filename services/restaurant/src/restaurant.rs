//! A restaurant and what may happen to it. Every transition returns the events it caused, or refuses;
//! an empty list means that nothing changed.

use tiffin_events::{
    Coordinates, RestaurantId, Role, UserId,
    restaurant::{
        RestaurantEvent, RestaurantPausedV1, RestaurantProfileV1, RestaurantRefV1,
        RestaurantSlowedV1,
    },
};
use time::OffsetDateTime;

use crate::error::Refusal;

#[cfg(test)]
mod tests;

/// A shop that cooks.
#[derive(Clone, Debug, PartialEq)]
pub struct Restaurant {
    pub id: RestaurantId,
    pub owner_id: UserId,
    pub details: Details,
    /// True if it takes orders.
    pub is_open: bool,
    /// The end of its pause; it may be past. It takes no orders until then.
    pub paused_until: Option<OffsetDateTime>,
    /// The time that it needs more, and the end of that; it may be past.
    pub busy: Option<Busy>,
    /// True if it was closed because its owner was blocked.
    pub closed_by_block: bool,
    /// True if an administrator has verified it; display only.
    pub verified: bool,
    pub created_at: OffsetDateTime,
    pub deleted_at: Option<OffsetDateTime>,
    /// The sequence of its last event.
    pub sequence: i64,
}

/// More minutes for each order until a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    pub minutes: i32,
    pub until: OffsetDateTime,
}

/// Its owner's description, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Details {
    pub name: String,
    pub address: String,
    /// The shop's own number.
    pub phone: String,
    pub description: String,
    /// Picture URLs.
    pub images: Vec<String>,
    /// Its place, if it is known.
    pub place: Option<Coordinates>,
    /// The minutes in which it answers an order, if it chose them.
    pub answer_minutes: Option<i32>,
}

/// New values for some of the details; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetailsChange {
    pub name: Option<String>,
    pub address: Option<String>,
    pub phone: Option<String>,
    pub description: Option<String>,
    pub images: Option<Vec<String>>,
    pub place: Option<Coordinates>,
    pub answer_minutes: Option<i32>,
}

/// The account that reads or acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor {
    pub id: UserId,
    pub role: Role,
}

impl Actor {
    /// True if nothing is hidden from them.
    pub fn sees_everything(self) -> bool {
        self.role == Role::Admin
    }

    /// True if they may do what the owner may: the owner, or an administrator.
    pub fn may_act_for(self, owner: UserId) -> bool {
        self.sees_everything() || (self.role == Role::Restaurant && self.id == owner)
    }
}

pub type Transition = Result<Vec<RestaurantEvent>, Refusal>;

impl Restaurant {
    /// A new restaurant, which takes orders from the start: its dishes wait for approval anyway.
    pub fn create(
        id: RestaurantId,
        owner_id: UserId,
        details: Details,
        now: OffsetDateTime,
    ) -> Self {
        Self {
            id,
            owner_id,
            details,
            is_open: true,
            paused_until: None,
            busy: None,
            closed_by_block: false,
            verified: false,
            created_at: now,
            deleted_at: None,
            sequence: 1,
        }
    }

    /// The event of its creation.
    pub fn created(&self) -> RestaurantEvent {
        RestaurantEvent::Created(self.profile())
    }

    /// Fails unless the actor is its owner or an administrator.
    pub fn check_access(&self, actor: Actor) -> Result<(), Refusal> {
        self.exists()?;
        if actor.may_act_for(self.owner_id) {
            Ok(())
        } else {
            Err(Refusal::NotYours)
        }
    }

    /// Takes new details; a change that changes nothing makes no event.
    pub fn update(&mut self, change: DetailsChange) -> Transition {
        self.exists()?;
        let before = self.details.clone();
        let details = &mut self.details;
        set(&mut details.name, change.name);
        set(&mut details.address, change.address);
        set(&mut details.phone, change.phone);
        set(&mut details.description, change.description);
        set(&mut details.images, change.images);
        details.place = change.place.or(details.place);
        details.answer_minutes = change.answer_minutes.or(details.answer_minutes);
        if self.details == before {
            return Ok(Vec::new());
        }
        Ok(vec![RestaurantEvent::Updated(self.profile())])
    }

    /// Marks it as verified by an administrator. This can't be withdrawn.
    pub fn verify(&mut self) -> Transition {
        self.exists()?;
        if std::mem::replace(&mut self.verified, true) {
            return Ok(Vec::new());
        }
        Ok(vec![RestaurantEvent::Verified(self.reference())])
    }

    /// Takes no orders until a time. A closed restaurant stays closed.
    pub fn pause(&mut self, until: OffsetDateTime) -> Transition {
        self.exists()?;
        if !self.is_open {
            return Err(Refusal::Closed);
        }
        if self.paused_until.replace(until) == Some(until) {
            return Ok(Vec::new());
        }
        Ok(vec![RestaurantEvent::Paused(RestaurantPausedV1 {
            restaurant: self.reference(),
            until,
        })])
    }

    /// Needs more minutes for each order until a time; none is as fast as before.
    pub fn slow_down(&mut self, busy: Busy, now: OffsetDateTime) -> Transition {
        self.exists()?;
        let next = Some(busy).filter(|busy| busy.minutes > 0);
        let is_busy = self.busy.is_some_and(|busy| busy.until > now);
        self.busy = next;
        if next.is_none() && !is_busy {
            return Ok(Vec::new());
        }
        Ok(vec![RestaurantEvent::Slowed(RestaurantSlowedV1 {
            restaurant: self.reference(),
            minutes: busy.minutes,
            until: busy.until,
        })])
    }

    /// Takes orders from now on, also where it was paused. A blocked owner's restaurant stays closed.
    pub fn open(&mut self, is_owner_blocked: bool) -> Transition {
        self.exists()?;
        if is_owner_blocked {
            return Err(Refusal::OwnerBlocked);
        }
        self.closed_by_block = false;
        let was_paused = self.paused_until.take().is_some();
        if std::mem::replace(&mut self.is_open, true) && !was_paused {
            return Ok(Vec::new());
        }
        Ok(vec![RestaurantEvent::Opened(self.reference())])
    }

    /// Takes no orders from now on.
    pub fn close(&mut self) -> Transition {
        self.exists()?;
        self.paused_until = None;
        if !std::mem::replace(&mut self.is_open, false) {
            return Ok(Vec::new());
        }
        Ok(vec![RestaurantEvent::Closed(self.reference())])
    }

    /// Takes no orders while its owner is blocked.
    pub fn close_for_block(&mut self) -> Transition {
        let events = self.close()?;
        self.closed_by_block |= !events.is_empty();
        Ok(events)
    }

    /// Takes orders again after its owner's block, if that closed it.
    pub fn reopen_after_block(&mut self) -> Transition {
        self.exists()?;
        if !self.closed_by_block {
            return Ok(Vec::new());
        }
        self.open(false)
    }

    /// Takes it and its menu off all lists.
    pub fn delete(&mut self, now: OffsetDateTime) -> Transition {
        self.exists()?;
        self.deleted_at = Some(now);
        Ok(vec![RestaurantEvent::Deleted(self.reference())])
    }

    fn exists(&self) -> Result<(), Refusal> {
        if self.deleted_at.is_some() {
            Err(Refusal::NoRestaurant)
        } else {
            Ok(())
        }
    }

    fn reference(&self) -> RestaurantRefV1 {
        RestaurantRefV1 {
            restaurant_id: self.id,
            owner_id: self.owner_id,
        }
    }

    fn profile(&self) -> RestaurantProfileV1 {
        let details = self.details.clone();
        RestaurantProfileV1 {
            restaurant_id: self.id,
            owner_id: self.owner_id,
            name: details.name,
            address: details.address,
            phone: details.phone,
            description: details.description,
            images: details.images,
            is_open: self.is_open,
            verified: self.verified,
            lat: details.place.map(|place| place.lat),
            lng: details.place.map(|place| place.lng),
            answer_minutes: details.answer_minutes,
        }
    }
}

fn set<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}
