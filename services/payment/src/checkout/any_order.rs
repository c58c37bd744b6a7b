//! Tests with random sequences of placing, paying, declining, cancelling, refunding by people, refunding and retrying.

use std::collections::HashMap;

use proptest::prelude::*;

use super::{
    tests::{money, order, payment, refund},
    *,
};

/// One step of a checkout. The numbers choose an order or a payment.
#[derive(Clone, Debug)]
enum Step {
    /// Another order becomes known.
    Place(i64),
    /// An intent is saved.
    Begin(usize),
    /// The provider takes the money, and its answer arrives or is lost.
    Take { of: usize, is_answered: bool },
    /// The provider refuses.
    Decline(usize),
    /// The provider is asked for the outcome of an intent.
    Settle(usize),
    /// An order is cancelled or deleted, possibly for a second time.
    Cancel(usize),
    /// People refund a part of an order's price, in percent of what is left of it.
    Issue { of: usize, percent: i64 },
    /// The provider makes a refund, and its answer arrives or is lost.
    Refund { of: usize, is_answered: bool },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let which = 0_usize..64;
    let step = prop_oneof![
        1 => (1_i64..=100_000).prop_map(Step::Place),
        4 => which.clone().prop_map(Step::Begin),
        4 => (which.clone(), any::<bool>()).prop_map(|(of, is_answered)| Step::Take { of, is_answered }),
        1 => which.clone().prop_map(Step::Decline),
        1 => which.clone().prop_map(Step::Settle),
        2 => which.clone().prop_map(Step::Cancel),
        2 => (which.clone(), 1_i64..=100).prop_map(|(of, percent)| Step::Issue { of, percent }),
        2 => (which, any::<bool>()).prop_map(|(of, is_answered)| Step::Refund { of, is_answered }),
    ];
    prop::collection::vec(step, 1..80)
}

/// A checkout and the provider's books.
struct World {
    checkout: Checkout,
    /// The amounts captured and refunded under each key.
    taken: HashMap<PaymentId, (i64, i64)>,
    /// The final outcome of a key.
    said: HashMap<PaymentId, Outcome>,
    cause: Cause,
}

impl World {
    fn new(totals: &[i64]) -> Self {
        let mut checkout = Checkout::new(Vec::new(), Vec::new());
        for (n, total) in (0..).zip(totals) {
            checkout.add(order(n), *total);
        }
        Self {
            checkout,
            taken: HashMap::new(),
            said: HashMap::new(),
            cause: Cause::service("test"),
        }
    }

    /// The money that the provider holds.
    fn held(&self) -> i64 {
        self.taken.values().map(|(taken, back)| taken - back).sum()
    }

    fn nth(&self, of: usize, status: Status) -> Option<Payment> {
        let all = self.checkout.payments.iter();
        let all: Vec<_> = all.filter(|payment| payment.status == status).collect();
        (!all.is_empty()).then(|| all[of % all.len()].clone())
    }

    fn begin(&mut self, of: usize) {
        let line = &self.checkout.lines[of % self.checkout.lines.len()];
        if let Some(share) = self.checkout.share(line.order) {
            assert!(!line.cancelled);
            let id = u128::try_from(self.checkout.payments.len()).unwrap() + 1;
            let mut payment = payment(id, line.order, share.cents());
            payment.status = Status::Pending;
            self.checkout.payments.push(payment);
            let asked = self.checkout.payments.iter();
            let asked = asked.filter(|it| it.status == Status::Pending);
            let asked: i64 = asked.map(|it| it.amount.cents()).sum();
            assert!(
                self.checkout.balance().cents() + asked <= self.checkout.cost().cents(),
                "no more is asked for than all cost"
            );
        } else {
            // The reason of the refusal must be true.
            match self.checkout.refusal(line.order) {
                Refusal::Cancelled => assert!(line.cancelled),
                Refusal::AlreadyPaid => assert!(self.checkout.is_paid(line.order)),
                Refusal::UnderWay => assert!(self.nth(0, Status::Pending).is_some()),
                Refusal::ShareMade => assert!(!self.checkout.shares().is_empty()),
                other => panic!("{other:?}"),
            }
        }
    }

    /// The provider's outcome of a key, which never changes.
    fn ask(&mut self, payment: &Payment, would: Outcome) -> Outcome {
        let said = self.said.entry(payment.id).or_insert(would).clone();
        if said == Outcome::Captured {
            let taken = self.taken.entry(payment.id);
            taken.or_insert((payment.amount.cents(), 0));
        }
        said
    }

    fn record(&mut self, payment: &Payment, said: &Outcome) {
        let cause = self.cause.clone();
        let first = self.checkout.record(payment.id, said, &cause);
        assert_eq!(first.len(), 1);
        let again = self.checkout.record(payment.id, said, &cause);
        assert!(again.is_empty(), "said once");
    }

    fn settle(&mut self, payment: &Payment) {
        let said = self.ask(payment, Outcome::Declined("not_charged".to_owned()));
        self.record(payment, &said);
    }

    fn refund(&mut self, payment: &Payment, is_answered: bool) {
        let back = payment.to_refund.cents();
        let (taken, before) = self.taken[&payment.id];
        assert!(back <= taken, "no payment is refunded more than was taken");
        self.taken.insert(payment.id, (taken, before.max(back)));
        if is_answered {
            let events = self.checkout.refunded(payment.id, payment.to_refund);
            assert_eq!(events.len(), 1);
        }
    }

    fn cancel_order(&mut self, of: usize) {
        let order = self.checkout.lines[of % self.checkout.lines.len()].order;
        let before = self.checkout.balance();
        self.checkout.cancel(order);
        let (after, cost) = (self.checkout.balance(), self.checkout.cost());
        assert_eq!(after, before.min(cost), "exactly the surplus is refunded");
    }

    fn issue_refund(&mut self, of: usize, percent: i64) {
        let line = self.checkout.lines[of % self.checkout.lines.len()].clone();
        let amount = (line.cost().cents() * percent + 99) / 100;
        match self.checkout.refund_refusal(line.order) {
            Some(BadRefund::OrderCancelled) => assert!(line.cancelled),
            Some(BadRefund::NotPaid) => assert!(!self.checkout.is_paid(line.order)),
            Some(other) => panic!("{other:?}"),
            None if amount > 0 => {
                let (balance, held) = (self.checkout.balance().cents(), self.held());
                let cause = self.cause.clone();
                let refund = refund(line.order, amount);
                let (parts, events) = self.checkout.issue_refund(&refund, &cause);
                assert_eq!(parts.len(), events.len());
                assert!(!parts.is_empty());
                let after = self.checkout.balance().cents();
                assert_eq!(balance - after, amount, "exactly the refund goes back");
                assert!(balance <= held);
                assert!(self.checkout.is_paid(line.order), "it stays paid");
                assert_eq!(
                    self.checkout.due(),
                    Money::ZERO,
                    "and is not asked for again"
                );
            }
            None => {}
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Place(cents) => {
                let n = u128::try_from(self.checkout.lines.len()).unwrap();
                self.checkout.add(order(n), cents);
            }
            Step::Begin(of) => self.begin(of),
            Step::Take { of, is_answered } => {
                if let Some(payment) = self.nth(of, Status::Pending) {
                    let said = self.ask(&payment, Outcome::Captured);
                    if is_answered {
                        self.record(&payment, &said);
                    }
                }
            }
            Step::Decline(of) => {
                if let Some(payment) = self.nth(of, Status::Pending) {
                    let said = self.ask(&payment, Outcome::Declined("no".to_owned()));
                    self.record(&payment, &said);
                }
            }
            Step::Settle(of) => {
                if let Some(payment) = self.nth(of, Status::Pending) {
                    self.settle(&payment);
                }
            }
            Step::Issue { of, percent } => self.issue_refund(of, percent),
            Step::Cancel(of) => self.cancel_order(of),
            Step::Refund { of, is_answered } => {
                if let Some(payment) = self.nth(of, Status::Refunding) {
                    self.refund(&payment, is_answered);
                }
            }
        }
        self.check();
    }

    /// Checks the conditions that hold at any time.
    fn check(&self) {
        let (cost, placed) = (self.checkout.cost().cents(), self.placed());
        let balance = self.checkout.balance().cents();
        assert!(
            balance <= self.held(),
            "the balance is money that the provider holds"
        );
        assert!(balance <= placed, "no more is kept than all cost");
        let shares = self.checkout.shares();
        let due = self.checkout.due().cents();
        if !shares.is_empty() {
            let sum: i64 = shares.iter().map(|(_, share)| share.cents()).sum();
            assert_eq!(sum, due, "the shares are what is due");
            assert!(shares.iter().all(|(_, share)| share.cents() >= 0));
        }
        for line in &self.checkout.lines {
            if self.checkout.is_paid(line.order) {
                assert!(!line.cancelled);
                assert!(self.held() >= cost && cost >= line.cost().cents());
            }
        }
    }

    fn placed(&self) -> i64 {
        let all = self.checkout.lines.iter();
        all.map(|line| line.total.cents()).sum()
    }

    /// Settles all open payments and refunds.
    fn settle_all(&mut self) {
        while let Some(payment) = self.nth(0, Status::Pending) {
            self.settle(&payment);
            self.check();
        }
        while let Some(payment) = self.nth(0, Status::Refunding) {
            self.refund(&payment, true);
            self.check();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn orders_are_paid_by_their_price_and_no_cent_is_lost(
        totals in prop::collection::vec(1_i64..=100_000, 1..12),
        steps in steps(),
    ) {
        let mut world = World::new(&totals);
        for step in &steps {
            world.step(step);
        }
        world.settle_all();
        let (checkout, held) = (&world.checkout, world.held());
        prop_assert_eq!(checkout.balance().cents(), held, "the balance is what the provider holds");
        prop_assert!(held <= checkout.cost().cents(), "the surplus is refunded");
        prop_assert_eq!(checkout.due().cents(), checkout.cost().cents() - held);

        // Each order that has a share pays it once.
        for (order, _) in world.checkout.shares() {
            if world.checkout.due() > Money::ZERO {
                world.checkout.pay(order);
            }
        }
        let checkout = &world.checkout;
        prop_assert_eq!(checkout.balance(), checkout.cost());
        prop_assert_eq!(checkout.due(), money(0));
        for line in &checkout.lines {
            prop_assert_eq!(checkout.is_paid(line.order), !line.cancelled);
        }
    }
}
