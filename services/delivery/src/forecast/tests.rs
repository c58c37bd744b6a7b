use time::macros::datetime;
use uuid::Uuid;

use super::{statistics::lead, *};

const NOW: OffsetDateTime = datetime!(2026-11-25 12:00:40 UTC);
const KOTTU_CORNER: RestaurantId = RestaurantId(Uuid::from_u128(4));

fn ride(seconds: f64) -> Ride {
    Ride {
        metres: seconds * 5.0,
        seconds,
        basis: EtaBasis::Street,
    }
}

fn minutes(count: i64) -> Duration {
    Duration::minutes(count)
}

fn assigned(since: OffsetDateTime, before: &[f64]) -> Situation {
    Situation {
        status: DeliveryStatus::PickedUp,
        restaurant: KOTTU_CORNER,
        busy: Duration::ZERO,
        since,
        seen_at: Some(NOW),
        rides_before: before.iter().copied().map(ride).collect(),
        rides_with_food: vec![ride(480.0)],
    }
}

/// A pace of one and a preparation of ten minutes, from so many deliveries that no assumption counts.
fn statistics() -> TripStatistics {
    let typical = |median| {
        Some(Typical {
            count: 1_000_000_000,
            median,
        })
    };
    TripStatistics {
        any_preparation: typical(600.0),
        any_pace: typical(1.0),
        ..TripStatistics::default()
    }
}

fn expected(situation: &Situation) -> OffsetDateTime {
    let arrival = situation.forecast(&statistics(), NOW).unwrap().expected;
    arrival.replace_nanosecond(0).unwrap()
}

#[test]
fn the_kitchen_or_the_driver_decides_when_the_food_leaves() {
    // The food is ready in ten minutes, the ride takes eight, the door two.
    let kitchen = assigned(NOW, &[]);
    assert_eq!(expected(&kitchen), NOW + minutes(20));
    let near = assigned(NOW, &[120.0]);
    assert_eq!(expected(&near), NOW + minutes(20));
    // Twenty minutes to the restaurant and two at its counter.
    let far = assigned(NOW, &[1_200.0]);
    assert_eq!(expected(&far), NOW + minutes(32));
    // Another door first: five minutes to it, two there, ten to the restaurant, two there.
    let another_door = assigned(NOW, &[300.0, 600.0]);
    assert_eq!(expected(&another_door), NOW + minutes(29));
    // The food has been ready for long.
    let late = assigned(NOW - minutes(60), &[]);
    assert_eq!(expected(&late), NOW + minutes(10));
}

#[test]
fn on_the_way_only_the_rides_with_the_food_count() {
    let on_the_way = Situation {
        status: DeliveryStatus::OnTheWay,
        ..assigned(NOW - minutes(5), &[])
    };
    assert_eq!(expected(&on_the_way), NOW + minutes(10));
    let unseen = Situation {
        seen_at: None,
        ..on_the_way.clone()
    };
    assert_eq!(expected(&unseen), NOW + minutes(5), "since it set out");
    let silent = Situation {
        seen_at: Some(NOW - minutes(60)),
        ..on_the_way.clone()
    };
    assert_eq!(
        expected(&silent),
        NOW + minutes(7),
        "three minutes count as ridden"
    );
    let ahead = Situation {
        seen_at: Some(NOW + minutes(60)),
        ..on_the_way
    };
    assert_eq!(expected(&ahead), NOW + minutes(10), "a clock that is ahead");
}

#[test]
fn there_is_no_forecast_without_a_way_to_the_customer() {
    let unknown = Situation {
        rides_with_food: Vec::new(),
        ..assigned(NOW, &[])
    };
    assert_eq!(unknown.forecast(&statistics(), NOW), None);
}

#[test]
fn one_straight_line_makes_a_forecast_straight() {
    let mut mixed = assigned(NOW, &[]);
    let basis = |situation: &Situation| situation.forecast(&statistics(), NOW).unwrap().basis;
    assert_eq!(basis(&mixed), EtaBasis::Street);
    mixed.rides_with_food.push(Ride {
        basis: EtaBasis::Straight,
        ..ride(60.0)
    });
    assert_eq!(basis(&mixed), EtaBasis::Straight);
}

#[test]
fn few_deliveries_count_less_than_the_assumption() {
    let preparation = |count, median| {
        let known = [(KOTTU_CORNER, Typical { count, median })];
        let statistics = TripStatistics {
            preparation: known.into(),
            ..TripStatistics::default()
        };
        statistics.preparation(KOTTU_CORNER).whole_seconds()
    };
    let assumed = TripStatistics::default()
        .preparation(KOTTU_CORNER)
        .whole_seconds();
    assert_eq!(preparation(0, 100.0), assumed);
    assert_eq!(preparation(8, 100.0), i64::midpoint(assumed, 100));
    assert!((100..110).contains(&preparation(1_000, 100.0)));
}

#[test]
fn the_pace_of_the_hour_counts() {
    let evening = Typical {
        count: 1_000_000_000,
        median: 2.0,
    };
    let statistics = TripStatistics {
        pace: [(18, evening)].into(),
        ..statistics()
    };
    let at = |hour| NOW.replace_hour(hour).unwrap();
    assert!((statistics.riding(600.0, at(12)) - minutes(10)).abs() < Duration::SECOND);
    assert!((statistics.riding(600.0, at(18)) - minutes(20)).abs() < Duration::SECOND);
}

#[test]
fn the_range_is_as_wide_as_arrivals_were() {
    let arrival = NOW + minutes(25);
    let wide = TripStatistics::default().range(NOW, arrival);
    let narrow = TripStatistics {
        spread: [(
            lead(minutes(25)),
            Spread {
                count: 1_000_000_000,
                low: 0.9,
                high: 1.1,
            },
        )]
        .into(),
        ..TripStatistics::default()
    };
    let narrow = narrow.range(NOW, arrival);
    assert!(wide.earliest < narrow.earliest && narrow.latest < wide.latest);
    assert_eq!(narrow.earliest, datetime!(2026-11-25 12:23 UTC));
    assert_eq!(narrow.latest, datetime!(2026-11-25 12:27 UTC));
    let now = TripStatistics::default().range(NOW, NOW);
    assert_eq!(now.latest - now.earliest, minutes(1), "never without width");
}

#[test]
fn lead_times_fall_into_the_classes_that_the_query_makes() {
    for (left, class) in [(0, 0), (4, 0), (5, 1), (19, 2), (30, 4), (45, 5), (600, 5)] {
        assert_eq!(lead(minutes(left)), class, "{left}");
    }
}

#[test]
fn a_range_is_replaced_only_when_it_moves_by_more_than_it_is_worth() {
    let range = |from, to| Range {
        earliest: NOW + minutes(from),
        latest: NOW + minutes(to),
    };
    let shown = range(15, 25);
    for (next, reason) in [
        (range(15, 25), None),
        (range(18, 28), None),
        (range(12, 22), None),
        (range(21, 31), Some(EtaReason::Later)),
        (range(9, 19), Some(EtaReason::Earlier)),
    ] {
        assert_eq!(shown.reason_for(next, NOW), reason, "{next:?}");
    }
    // Shortly before the arrival, two minutes matter.
    assert_eq!(
        range(2, 4).reason_for(range(4, 6), NOW),
        Some(EtaReason::Later)
    );
    // A range that has passed says nothing any more.
    assert_eq!(
        range(-5, -1).reason_for(range(-4, 0), NOW),
        Some(EtaReason::Later)
    );
}

/// The time that a driver waits at the door until the shown range begins, with forecasts every twenty seconds.
fn wait_at_the_door(shown: Range, reached: OffsetDateTime) -> Duration {
    let mut shown = shown;
    let mut now = reached;
    while now < shown.earliest {
        now += Duration::seconds(20);
        let at_the_door = Situation {
            status: DeliveryStatus::OnTheWay,
            seen_at: Some(now),
            rides_with_food: vec![ride(0.0)],
            ..assigned(reached, &[])
        };
        let next = at_the_door.forecast(&statistics(), now).unwrap().range;
        if shown.reason_for(next, now).is_some() {
            shown = next;
        }
        assert!(now - reached < minutes(60), "the range moves away");
    }
    now - reached
}

#[test]
fn a_driver_who_is_at_the_door_early_waits_a_few_minutes_at_most() {
    for seconds in 0..60 {
        for left in 2..60 {
            let reached = NOW + Duration::seconds(seconds);
            let shown = statistics().range(reached, reached + minutes(left));
            let wait = wait_at_the_door(shown, reached);
            assert!(
                wait <= minutes(3),
                "{wait} with {left} minutes left at second {seconds}"
            );
        }
    }
}
