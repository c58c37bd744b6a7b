//! The deadline for a restaurant's answer to an order, with the reminders before it.

use time::{Duration, OffsetDateTime};

/// The parts of the time after which the restaurant is reminded, in quarters.
const REMINDERS: [i32; 2] = [2, 3];

/// A deadline that no answer has met yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    pub answer_by: OffsetDateTime,
    /// The number of reminders so far.
    pub reminders: i32,
}

impl Deadline {
    /// The deadline of an order that is placed now.
    pub fn after(time: Duration, now: OffsetDateTime) -> Self {
        Self {
            answer_by: now + time,
            reminders: 0,
        }
    }

    /// The moment of the next reminder, or the deadline after the last one.
    pub fn due_at(self, created_at: OffsetDateTime) -> OffsetDateTime {
        let next = usize::try_from(self.reminders).unwrap_or(REMINDERS.len());
        REMINDERS.get(next).map_or(self.answer_by, |quarters| {
            created_at + (self.answer_by - created_at) * *quarters / 4
        })
    }

    /// The deadline after the reminder of this moment, if one is due. Those that were missed are left out.
    pub fn reminded(self, created_at: OffsetDateTime, now: OffsetDateTime) -> Option<Self> {
        let mut next = self;
        while !next.is_last() && now >= next.due_at(created_at) {
            next.reminders += 1;
        }
        (next != self).then_some(next)
    }

    /// True after the last reminder.
    pub fn is_last(self) -> bool {
        usize::try_from(self.reminders).is_ok_and(|count| count >= REMINDERS.len())
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const PLACED: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);

    #[test]
    fn reminders_come_after_half_and_three_quarters_of_the_time() {
        let mut deadline = Deadline::after(Duration::minutes(10), PLACED);
        for seconds in [300, 450] {
            let due = PLACED + Duration::seconds(seconds);
            assert_eq!(deadline.due_at(PLACED), due);
            assert_eq!(deadline.reminded(PLACED, due - Duration::SECOND), None);
            deadline = deadline.reminded(PLACED, due).unwrap();
        }
        assert!(deadline.is_last());
        assert_eq!(deadline.due_at(PLACED), deadline.answer_by);
        assert_eq!(deadline.reminded(PLACED, deadline.answer_by), None);
    }

    #[test]
    fn a_missed_reminder_is_left_out() {
        let deadline = Deadline::after(Duration::minutes(10), PLACED);
        let late = deadline.reminded(PLACED, PLACED + Duration::minutes(8));
        assert_eq!(late.unwrap().reminders, 2);
    }
}
