//! Ids as types, so that an order's id can't be handed over as a delivery's.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, ToSchema,
        )]
        #[serde(transparent)]
        #[schemars(transparent)]
        #[schema(value_type = Uuid)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
    )*};
}

ids! {
    /// An account: customer, owner, driver or administrator. A driver's id is their account's.
    UserId,
    /// A restaurant.
    RestaurantId,
    /// A dish on a restaurant's menu (a "collection item" on the wire).
    ItemId,
    /// One customer's review of one dish.
    ReviewId,
    /// One order row, which holds one line of a cart.
    OrderId,
    /// A checkout: all orders that one press of "Place order" made.
    CheckoutId,
    /// One try to pay one order.
    PaymentId,
    /// Money of one order that the restaurant or an administrator refunds.
    RefundId,
    /// One delivery of one order.
    DeliveryId,
    /// The drivers who were suggested for one order.
    SuggestionId,
    /// One question to the administrators.
    InquiryId,
    /// One notification to one user.
    NotificationId,
}
