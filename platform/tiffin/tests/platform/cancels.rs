//! Delivered and cancelled in every order of arrival: the order, delivery and payment services over their own
//! databases, their events carried by hand.

mod schedules;
mod simulation;

use std::collections::BTreeSet;

use serde_json::Value;

use self::{
    schedules::{Schedules, merges},
    simulation::{Simulation, Step, TOTAL},
};

/// Steps of people and of consumers that may come in any order.
const STEPS: [Step; 5] = [
    Step::Cancel,
    Step::SetOut,
    Step::Deliver,
    Step::OrdersToDelivery,
    Step::DeliveriesToOrder,
];

/// The outcome of an order: its status, whether its driver brought it, and the refund.
struct Outcome {
    status: String,
    is_delivered: bool,
    refunded: i64,
}

impl Outcome {
    /// True for food that was delivered and is paid, and for an order without food whose money all went back.
    fn is_consistent(&self) -> bool {
        match self.status.as_str() {
            "delivered" => self.is_delivered && self.refunded == 0,
            "cancelled" => !self.is_delivered && self.refunded == TOTAL,
            _ => false,
        }
    }
}

#[tokio::test]
async fn no_order_of_events_ends_with_food_brought_an_order_cancelled_and_money_given_back() {
    let mut simulation = Simulation::new().await;
    let mut schedules = Schedules::default();
    let mut events = BTreeSet::new();
    let mut runs = 0;
    while schedules.begin() {
        simulation.order().await;
        while let Some(step) = schedules.choose(&simulation.possible(&STEPS)) {
            simulation.perform(step).await;
        }
        events.insert(simulation.events());
        simulation.settle(&[]).await;
        let end = simulation.end().await;
        assert!(
            end.is_consistent(),
            "{:?} ends as {} with {} given back",
            simulation.performed(),
            end.status,
            end.refunded
        );
        runs += 1;
    }
    assert!(runs > 20, "only {runs} schedules");
    println!("{runs} schedules");
    // An order is cancelled before its driver set out, while it is on its way, or after it was delivered.
    assert!(events.len() >= 3, "{events:?}");
}

#[tokio::test]
async fn money_goes_back_once_the_delivery_has_ended_in_whichever_order_payment_hears_of_it() {
    let mut simulation = Simulation::new().await;
    for (steps, merges, back) in [
        (
            vec![Step::Cancel, Step::OrdersToDelivery],
            // Confirmed and cancelled, created and cancelled.
            merges(2, 2),
            TOTAL,
        ),
        (
            vec![
                Step::SetOut,
                Step::Deliver,
                Step::Cancel,
                Step::OrdersToDelivery,
                Step::DeliveriesToOrder,
                Step::DeliveriesToOrder,
                Step::DeliveriesToOrder,
            ],
            // Confirmed, cancelled and live again; created, on the way, delivered and not to be cancelled.
            merges(3, 4),
            0,
        ),
    ] {
        for merge in merges {
            simulation.order().await;
            for step in &steps {
                simulation.perform(*step).await;
            }
            simulation.settle(&merge).await;
            let end = simulation.end().await;
            assert_eq!(end.refunded, back, "{merge:?}");
            assert!(end.is_consistent(), "{} {merge:?}", end.status);
        }
    }
}

/// The order service is stopped, the driver brings the order, the owner cancels it.
#[tokio::test]
async fn an_order_that_was_brought_comes_back_from_a_cancellation_that_did_not_know() {
    let mut simulation = Simulation::new().await;
    simulation.order().await;
    for step in [Step::SetOut, Step::Deliver, Step::Cancel] {
        simulation.perform(step).await;
    }
    assert_eq!(simulation.order_as_read().await["status"], "cancelled");
    // Payment hears of the cancellation first: it waits for the delivery service's word.
    simulation.perform(Step::OrdersToPayment).await;
    simulation.perform(Step::OrdersToPayment).await;
    tiffin_payment::settle_due(&simulation.payment)
        .await
        .unwrap();
    assert_eq!(simulation.end().await.refunded, 0);
    simulation.finish().await;
    let shown = simulation.order_as_read().await;
    assert_eq!(
        (&shown["status"], &shown["isPaid"]),
        (&Value::from("delivered"), &Value::Bool(true))
    );
    assert!(simulation.end().await.is_consistent());
}
