#![expect(
    clippy::float_cmp,
    reason = "the figures are small integers, which floats hold exactly"
)]

use time::macros::datetime;

use super::*;

const NOW: OffsetDateTime = datetime!(2026-11-25 12:00 UTC);
const DAY: Span = Span::from_hours(24);

/// 40 of 100 messages of ten bytes.
const ROOM: Room = Room {
    messages: 40,
    bytes: 400,
    max_bytes: Some(1_000),
    max_age: None,
    refuses: true,
};

#[test]
fn a_window_is_a_week_or_the_whole_life_of_a_younger_platform() {
    let old = Window::new(Some(NOW - Duration::days(90)), NOW);
    assert_eq!((old.since, old.is_whole()), (NOW - WEEK, true));
    assert_eq!(old.a_day(70.0, old.days()), Some(10.0));
    let young = Window::new(Some(NOW - Duration::days(2)), NOW);
    assert_eq!((young.days(), young.is_whole()), (2.0, false));
    assert_eq!(young.a_day(70.0, young.days()), Some(35.0));
}

#[test]
fn a_platform_younger_than_a_day_has_no_pace() {
    let hours = Window::new(Some(NOW - Duration::hours(23)), NOW);
    assert_eq!(hours.a_day(70.0, hours.days()), None);
    let empty = Window::new(None, NOW);
    assert_eq!((empty.days(), empty.a_day(0.0, 0.0)), (0.0, None));
    // A clock that runs ahead wrote the first event.
    let ahead = Window::new(Some(NOW + Duration::hours(1)), NOW);
    assert_eq!(ahead.days(), 0.0);
}

#[test]
fn messages_are_counted_over_the_time_that_a_stream_keeps_them() {
    let window = Window::new(Some(NOW - Duration::days(90)), NOW);
    assert_eq!(window.days_within(Some(DAY)), 1.0);
    assert_eq!(window.days_within(Some(30 * DAY)), 7.0);
    assert_eq!(window.days_within(None), 7.0);
}

#[test]
fn a_stream_is_full_when_its_pace_has_taken_the_room_that_is_left() {
    let full = ROOM.full_at(NOW, Some(200.0));
    assert_eq!(full, Some(NOW + Duration::days(3)));
    assert_eq!(ROOM.percent(), Some(40.0));
}

#[test]
fn without_growth_a_stream_is_never_full() {
    for pace in [None, Some(0.0), Some(-200.0), Some(1e-9)] {
        assert_eq!(ROOM.full_at(NOW, pace), None, "{pace:?}");
    }
}

#[test]
fn a_stream_that_has_no_cap_or_drops_the_oldest_is_never_full() {
    let unlimited = Room {
        max_bytes: None,
        ..ROOM
    };
    let dropping = Room {
        refuses: false,
        bytes: 1_000,
        ..ROOM
    };
    for room in [unlimited, dropping] {
        assert_eq!(room.full_at(NOW, Some(200.0)), None, "{room:?}");
    }
    assert_eq!(
        (unlimited.percent(), dropping.percent()),
        (None, Some(100.0))
    );
}

#[test]
fn a_stream_without_room_for_one_more_message_is_full_now() {
    for bytes in [996, 1_000, 1_001] {
        let full = Room {
            bytes,
            messages: 99,
            ..ROOM
        };
        for pace in [None, Some(0.0), Some(200.0)] {
            assert_eq!(full.full_at(NOW, pace), Some(NOW), "{bytes} {pace:?}");
        }
    }
}

#[test]
fn a_stream_that_drops_messages_by_age_is_full_only_if_they_fill_it_before() {
    let kept = |days| Room {
        max_age: Some(days * DAY),
        ..ROOM
    };
    assert_eq!(kept(4).full_at(NOW, Some(200.0)), None);
    assert_eq!(kept(5).full_at(NOW, Some(200.0)), None);
    let full = kept(6).full_at(NOW, Some(200.0));
    assert_eq!(full, Some(NOW + Duration::days(3)));
}
