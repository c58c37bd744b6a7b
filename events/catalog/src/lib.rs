//! The contract between Tiffin's services: every event, its envelope, the subjects and streams it
//! travels on, and the frames of the live websocket. Types only, no I/O.

pub mod audience;
pub mod catalogue;
mod clock;
pub mod code;
mod currency;
pub mod delivery;
pub mod driver;
mod envelope;
pub mod geo;
pub mod ids;
pub mod inquiry;
pub mod item;
mod json_fault;
pub mod live;
mod money;
pub mod notification;
pub mod operation;
pub mod order;
pub mod payment;
pub mod personal;
pub mod position;
pub mod restaurant;
pub mod review;
pub mod revocation;
pub mod rights;
pub mod role;
pub mod services;
pub mod stream;
pub mod subject;
pub mod suggestion;
pub mod user;

pub use clock::Clock;
pub use code::{ItemCode, OrderCode};
pub use currency::{BadCurrency, Currency};
pub use envelope::{
    CORRECTION_HEADER, DecodeError, Envelope, Event, IMPORT_HEADER, RawEnvelope, SPEC_VERSION,
};
pub use geo::Coordinates;
pub use ids::{
    CheckoutId, DeliveryId, InquiryId, ItemId, NotificationId, OrderId, PaymentId, RefundId,
    RestaurantId, ReviewId, SuggestionId, UserId,
};
pub use json_fault::JsonFault;
pub use money::Money;
pub use role::Role;
pub use stream::Stream;
