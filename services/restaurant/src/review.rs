//! A customer's review of a dish and what may happen to it. Every transition returns the events it
//! caused, or refuses; an empty list means that nothing changed.

use tiffin_events::{
    ItemId, RestaurantId, ReviewId, Role, UserId,
    review::{ReviewEvent, ReviewRefV1},
};
use time::OffsetDateTime;

use crate::{error::Refusal, restaurant::Actor};

#[cfg(test)]
mod tests;

/// A customer's review of a dish.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    pub id: ReviewId,
    pub item_id: ItemId,
    pub restaurant_id: RestaurantId,
    /// The restaurant's.
    pub owner_id: UserId,
    pub author_id: UserId,
    pub content: ReviewContent,
    /// True once an administrator approved it; everybody sees it then.
    pub approved: bool,
    pub written_at: OffsetDateTime,
    pub deleted_at: Option<OffsetDateTime>,
    /// The sequence of its last event.
    pub sequence: i64,
}

/// The rating and text of its author, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewContent {
    /// 0 to 5.
    pub rating: i16,
    /// May be empty.
    pub comment: String,
}

/// The sum of approved reviews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rating {
    pub sum: i64,
    pub count: i64,
}

pub type Transition = Result<Vec<ReviewEvent>, Refusal>;

impl Review {
    /// The event of its submission.
    pub fn submitted(&self) -> ReviewEvent {
        ReviewEvent::Submitted(self.reference())
    }

    /// Replaces its content, which waits for approval again.
    pub fn replace(&mut self, content: ReviewContent, now: OffsetDateTime) -> Transition {
        self.exists()?;
        if !self.approved && self.content == content {
            return Ok(Vec::new());
        }
        self.content = content;
        self.approved = false;
        self.written_at = now;
        Ok(vec![self.submitted()])
    }

    /// Approves the review.
    pub fn approve(&mut self) -> Transition {
        self.exists()?;
        if std::mem::replace(&mut self.approved, true) {
            return Ok(Vec::new());
        }
        Ok(vec![ReviewEvent::Approved(self.reference())])
    }

    /// Takes it off all lists and erases its text.
    pub fn delete(&mut self, now: OffsetDateTime) -> Transition {
        self.exists()?;
        self.deleted_at = Some(now);
        let deleted = ReviewEvent::Deleted(self.reference());
        self.content.comment.clear();
        Ok(vec![deleted])
    }

    /// Fails unless the actor is its author or an administrator. For those who may not see it, it does not
    /// exist.
    pub fn check_access(&self, actor: Actor) -> Result<(), Refusal> {
        self.exists()?;
        if actor.role == Role::Admin || actor.id == self.author_id {
            Ok(())
        } else if self.approved || actor.may_act_for(self.owner_id) {
            Err(Refusal::NotYourReview)
        } else {
            Err(Refusal::NoReview)
        }
    }

    /// Its part of the rating of its dish and restaurant: nothing until it is approved.
    pub fn weight(&self) -> Rating {
        if self.approved && self.deleted_at.is_none() {
            Rating {
                sum: self.content.rating.into(),
                count: 1,
            }
        } else {
            Rating::default()
        }
    }

    fn exists(&self) -> Result<(), Refusal> {
        if self.deleted_at.is_some() {
            Err(Refusal::NoReview)
        } else {
            Ok(())
        }
    }

    fn reference(&self) -> ReviewRefV1 {
        ReviewRefV1 {
            review_id: self.id,
            item_id: self.item_id,
            restaurant_id: self.restaurant_id,
            owner_id: self.owner_id,
            author_id: self.author_id,
            rating: self.content.rating,
        }
    }
}

impl Rating {
    /// The mean to two decimals, unless there is no review.
    pub fn mean(self) -> Option<f64> {
        let hundredths = (self.sum * 200 + self.count).checked_div(self.count * 2)?;
        i32::try_from(hundredths)
            .ok()
            .map(|hundredths| f64::from(hundredths) / 100.0)
    }

    /// The difference from `before`.
    pub fn since(self, before: Self) -> Self {
        Self {
            sum: self.sum - before.sum,
            count: self.count - before.count,
        }
    }
}
