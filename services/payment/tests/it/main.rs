//! Tests of the payment service with a real database, through its routes, consumers and reconciler.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod any_order;
mod balance;
mod canary;
mod consume;
mod fake_provider;
mod fixture;
mod get_invoice;
mod issue_refund;
mod late_capture;
mod limits;
mod list_payments;
mod make_payment;
mod migrate;
mod openapi;
mod personal;
mod reconciler;
mod refund;
mod stripe;
