//! History as operators see, replay and repair it: nothing is lost, nothing is doubled, and no one is
//! notified twice.

mod day;
mod desk;
mod kept;
mod lost_broker;
mod read_models;
mod replays;
