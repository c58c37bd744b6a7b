//! History as operators see, replay and repair it: nothing is lost, nothing is doubled, and no one is
//! notified twice.

mod contents;
mod lost_broker;
pub mod operator_client;
mod past_orders;
mod read_models;
mod replays;
