use tiffin_events::OrderId;

use super::{OpenOrder, Stop, Task};
use crate::arrivals::SAME_DOOR;

/// The reason for a driver's rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// They have nothing to bring.
    Free,
    /// They fetch another order at the same restaurant.
    SameRestaurant,
    /// They bring other orders first, this one last.
    BringsFirst(OrderId),
    /// They fetch this order before they bring others.
    OnTheWay,
    /// They were not seen lately.
    PlaceUnknown,
}

impl Reason {
    pub(super) fn of(order: &OpenOrder, is_seen: bool, tour: &[Stop]) -> Self {
        let is_other = |stop: &&Stop| stop.order != order.id;
        let is_door = |stop: &&Stop| matches!(stop.task, Task::Bring { .. });
        let is_there =
            |stop: &Stop| !is_door(&stop) && stop.place.metres_to(order.restaurant) <= SAME_DOOR;
        let before = tour.iter().take_while(is_other);
        if !is_seen && tour.len() == 2 {
            Self::PlaceUnknown
        } else if tour.len() == 2 {
            Self::Free
        } else if tour.iter().filter(is_other).any(is_there) {
            Self::SameRestaurant
        } else if let Some(last) = before.filter(is_door).last() {
            Self::BringsFirst(last.order)
        } else {
            Self::OnTheWay
        }
    }
}
