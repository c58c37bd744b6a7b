//! An order's deadline, and what ends it.

use super::*;

/// An order that waits for its answer until ten minutes after it was placed.
fn waiting() -> Order {
    Order {
        deadline: Some(Deadline::after(Duration::minutes(10), NOW)),
        ..order(OrderStatus::Pending, None)
    }
}

fn names(events: &[OrderEvent]) -> Vec<&'static str> {
    events.iter().map(tiffin_events::Event::name).collect()
}

#[test]
fn a_waiting_order_reminds_twice_and_is_refused_at_its_deadline() {
    let mut order = waiting();
    let at = |seconds| NOW + Duration::seconds(seconds);
    for (seconds, expected) in [
        (0, vec![]),
        (299, vec![]),
        (300, vec!["reminded"]),
        (301, vec![]),
        (450, vec!["reminded"]),
        (599, vec![]),
        (600, vec!["cancelled"]),
        (601, vec![]),
    ] {
        assert_eq!(names(&order.come_due(at(seconds))), expected, "{seconds}");
    }
    assert_eq!(order.status, OrderStatus::Cancelled);
    assert_eq!(order.cancellation, Some(Cancellation::unanswered()));
}

#[test]
fn a_refusal_names_its_deadline_and_no_account() {
    let mut order = waiting();
    let events = order.come_due(NOW + Duration::minutes(10));
    let [OrderEvent::Cancelled(cancelled)] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(cancelled.by, None);
    assert_eq!(cancelled.answer_by, Some(NOW + Duration::minutes(10)));
    let mut order = waiting();
    let events = order.cancel(by(Side::Customer), false).unwrap();
    let [OrderEvent::Cancelled(cancelled)] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(cancelled.answer_by, None);
}

#[test]
fn no_order_is_refused_once_it_was_answered_or_is_gone() {
    type Answer = fn(&mut Order);
    let answers: [Answer; 5] = [
        |order| {
            order
                .set_status(OrderStatus::Confirmed, Some(on_bike(DRIVER)), NOW)
                .unwrap();
        },
        |order| {
            order.set_status(OrderStatus::Preparing, None, NOW).unwrap();
            order.set_status(OrderStatus::Pending, None, NOW).unwrap();
        },
        |order| {
            order
                .set_status(OrderStatus::Confirmed, Some(on_bike(DRIVER)), NOW)
                .unwrap();
            order.set_status(OrderStatus::Pending, None, NOW).unwrap();
        },
        |order| {
            order.cancel(by(Side::Restaurant), false).unwrap();
        },
        |order| {
            order.delete(false, false, NOW).unwrap();
        },
    ];
    for answer in answers {
        let mut order = waiting();
        answer(&mut order);
        let before = order.clone();
        assert!(order.come_due(NOW + Duration::hours(1)).is_empty());
        assert_eq!(order, before);
    }
}

#[test]
fn an_order_that_an_older_process_answered_loses_its_deadline_and_nothing_else() {
    let mut answered = Order {
        status: OrderStatus::Confirmed,
        ..waiting()
    };
    assert!(answered.come_due(NOW + Duration::hours(1)).is_empty());
    assert_eq!(
        (answered.status, answered.deadline),
        (OrderStatus::Confirmed, None)
    );
}

#[test]
fn the_same_status_again_is_no_answer() {
    let mut order = waiting();
    order.set_status(OrderStatus::Pending, None, NOW).unwrap();
    order.approve().unwrap();
    assert!(order.deadline.is_some());
}
