//! Refusals as data: one row for each gives its status, code, sentence and field.
//!
//! [`refusals!`](crate::refusals) declares an enum of them, and [`refused_by!`](crate::refused_by) lists those of
//! an operation, from which its description follows.

pub mod openapi;
mod request;

use std::{borrow::Cow, fmt::Display};

use serde::Serialize;
use serde_json::{Map, Value};
use tiffin_events::{Money, Stream};
use utoipa::ToSchema;
use uuid::Uuid;

pub use self::request::{
    BadBody, BadField, BadKey, BadPath, BadQuery, BadToken, BadValue, Failure, NoOperation,
    TooMany, WrongCaller,
};

/// The part of a refusal that clients may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusalRow {
    /// The area and the name: `order.driver-required`.
    pub code: &'static str,
    /// The status of an answer that it decides.
    pub status: u16,
    /// The text with its placeholders: `{dish} is out of stock.`
    pub sentence: &'static str,
}

/// An enum of refusals, declared by [`refusals!`](crate::refusals).
pub trait Refusal: Display {
    /// The variants without their values. As numbers they are places in the table.
    type Kind: Copy;
    const TABLE: &'static [RefusalRow];

    fn row(&self) -> &'static RefusalRow;

    /// The values of the sentence's placeholders.
    fn params(&self) -> Map<String, Value>;

    /// The field of the request that it is about.
    fn field(&self) -> Option<String>;
}

/// The code of a refusal with its values, and the sentence that they make.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = ProblemReason)]
pub struct Reason {
    /// The area and the name: `order.driver-required`.
    #[schema(value_type = String)]
    pub code: Cow<'static, str>,
    /// The values of the sentence's placeholders, if it has any.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
    #[serde(skip)]
    #[schema(ignore)]
    pub message: String,
}

impl<R: Refusal> From<&R> for Reason {
    fn from(refusal: &R) -> Self {
        Self {
            code: refusal.row().code.into(),
            params: refusal.params(),
            message: refusal.to_string(),
        }
    }
}

/// A value of a sentence's placeholder.
pub trait Param {
    fn param(&self) -> Value;
}

macro_rules! params {
    ($($number:ty),*; $($text:ty),*) => {
        $(impl Param for $number {
            fn param(&self) -> Value {
                (*self).into()
            }
        })*
        $(impl Param for $text {
            fn param(&self) -> Value {
                self.to_string().into()
            }
        })*
    };
}
params!(i32, i64, u16, u32, u64, usize; String, &str, Uuid, Money, Stream);

/// Declares an enum of refusals: a row is `Variant { placeholder: Type } = status, code, sentence, at field;`. The
/// enum gets [`Display`], [`Error`](std::error::Error), [`Refusal`], and becomes a [`Problem`](crate::Problem).
#[macro_export]
macro_rules! refusals {
    (
        $(#[$meta:meta])*
        $vis:vis enum $enum:ident {
            $(
                $(#[$doc:meta])*
                $variant:ident $({ $($param:ident: $type:ty),+ $(,)? })? =
                    $status:literal, $code:literal, $sentence:literal $(, at $field:literal)?;
            )+
        }
    ) => {
        $(#[$meta])*
        $vis enum $enum {
            $(#[doc = $sentence] $(#[$doc])* $variant $({ $($param: $type),+ })?,)+
        }

        const _: () = {
            #[derive(Clone, Copy)]
            pub enum Kind {
                $($variant,)+
            }

            impl $crate::refusal::Refusal for $enum {
                type Kind = Kind;
                const TABLE: &'static [$crate::refusal::RefusalRow] = &[$(
                    $crate::refusal::RefusalRow { code: $code, status: $status, sentence: $sentence },
                )+];

                fn row(&self) -> &'static $crate::refusal::RefusalRow {
                    let kind = match self {
                        $(Self::$variant { .. } => Kind::$variant,)+
                    };
                    &Self::TABLE[kind as usize]
                }

                fn params(&self) -> serde_json::Map<String, serde_json::Value> {
                    let params: Vec<(String, serde_json::Value)> = match self {
                        $(Self::$variant $({ $($param),+ })? => vec![$($((
                            stringify!($param).to_owned(),
                            $crate::refusal::Param::param($param),
                        )),+)?],)+
                    };
                    params.into_iter().collect()
                }

                fn field(&self) -> Option<String> {
                    match self {
                        $(Self::$variant $({ $($param),+ })? => {
                            $($(let _ = $param;)+)?
                            None::<String>$(.or(Some(format_args!($field).to_string())))?
                        })+
                    }
                }
            }
        };

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($param),+ })? => {
                        $($(let _ = $param;)+)?
                        write!(f, $sentence)
                    })+
                }
            }
        }

        impl std::error::Error for $enum {}

        impl From<$enum> for $crate::Problem {
            fn from(refusal: $enum) -> Self {
                Self::refused(&refusal)
            }
        }

        impl From<$enum> for $crate::refusal::Reason {
            fn from(refusal: $enum) -> Self {
                Self::from(&refusal)
            }
        }
    };
}

/// Declares the refusals of an operation, for `responses(…)` of its description: enums as a whole
/// (`BadToken`), or some of their variants (`Refusal::{NotFound, NoDriver}`). Rows of another service, whose
/// refusals the operation passes on, come last, after a semicolon.
#[macro_export]
macro_rules! refused_by {
    (
        $name:ident:
        $($enum:ident $(::{$($variant:ident),+ $(,)?})?),+ $(,)?
        $(; $relayed:expr)?
    ) => {
        #[doc = concat!("The refusals of an operation: ", stringify!($name), ".")]
        enum $name {}

        impl utoipa::IntoResponses for $name {
            fn responses() -> $crate::refusal::openapi::Responses {
                let parts: &[Vec<&'static $crate::refusal::RefusalRow>] = &[
                    $($crate::refused_by!(@rows $enum $(, $($variant),+)?),)+
                    $($relayed.iter().collect(),)?
                ];
                $crate::refusal::openapi::responses(&parts.concat())
            }
        }
    };
    (@rows $enum:ident) => {
        <$enum as $crate::refusal::Refusal>::TABLE.iter().collect()
    };
    (@rows $enum:ident, $($variant:ident),+) => {
        vec![$(
            &<$enum as $crate::refusal::Refusal>::TABLE
                [<<$enum as $crate::refusal::Refusal>::Kind>::$variant as usize],
        )+]
    };
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use utoipa::IntoResponses;

    use super::{Reason, Refusal};
    use crate::Problem;

    refusals! {
        /// The reasons of a kitchen.
        #[derive(Debug)]
        enum Kitchen {
            Closed = 409, "kitchen.closed", "The kitchen is closed.";
            SoldOut { line: usize, dish: String } =
                422, "kitchen.sold-out", "{dish} is sold out.", at "lines[{line}].dish";
        }
    }

    refused_by!(Cooked: Kitchen::{SoldOut});
    refused_by!(Served: Kitchen);

    #[test]
    fn a_row_gives_status_code_sentence_and_field() {
        let refusal = Kitchen::SoldOut {
            line: 2,
            dish: "Kottu".to_owned(),
        };
        assert_eq!(refusal.row(), &Kitchen::TABLE[1]);
        let problem = Problem::from(refusal);
        assert_eq!(problem.status, 422);
        assert_eq!(problem.reason.message, "Kottu is sold out.");
        assert_eq!(problem.reason.code, "kitchen.sold-out");
        assert_eq!(
            serde_json::to_value(&problem.fields["lines[2].dish"]).unwrap(),
            json!({"code": "kitchen.sold-out", "params": {"line": 2, "dish": "Kottu"}})
        );
        let closed = Reason::from(Kitchen::Closed);
        assert_eq!(
            serde_json::to_value(&closed).unwrap(),
            json!({"code": "kitchen.closed"})
        );
    }

    #[test]
    fn an_operation_describes_the_refusals_that_it_lists() {
        let cooked = Cooked::responses();
        assert_eq!(cooked.keys().collect::<Vec<_>>(), ["422"]);
        let served = serde_json::to_value(Served::responses()).unwrap();
        let conflict = &served["409"];
        assert_eq!(
            conflict["description"],
            "`kitchen.closed`: The kitchen is closed."
        );
        let schema = &conflict["content"]["application/problem+json"]["schema"];
        assert_eq!(
            schema["allOf"][1]["properties"]["code"]["enum"],
            json!(["kitchen.closed"])
        );
    }
}
