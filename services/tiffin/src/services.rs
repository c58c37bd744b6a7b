//! The services, and how each is put together.

use anyhow::{Context, Result};
use axum::Router;
use clap::ValueEnum;
use sqlx::{PgPool, migrate::Migrator};
use tiffin_bus::{BatchConsumer, Broker, Consumer};
use tiffin_chassis::{Env, Verifier, Work};
use tiffin_events::Clock;
use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;

use crate::prepare;

/// A service of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Service {
    User,
    Restaurant,
    Order,
    Payment,
    Delivery,
    Driver,
    Notification,
    Media,
    Live,
    Operator,
}

/// The servers and settings that a service needs.
#[derive(Clone)]
pub struct Ground {
    /// Absent where the service keeps nothing.
    pub pool: Option<PgPool>,
    pub broker: Broker,
    pub verifier: Verifier,
    pub clock: Clock,
    pub env: Env,
    pub stop: CancellationToken,
}

/// The parts of a service.
pub struct Parts {
    pub routes: OpenApiRouter,
    /// The routes for other services, on a listener that clients do not reach.
    pub internal: Router,
    pub consumers: Vec<Consumer>,
    pub batches: Vec<BatchConsumer>,
    /// The tasks that run until the stop.
    pub work: Vec<Work>,
}

impl Parts {
    /// Nothing but routes.
    fn only(routes: OpenApiRouter) -> Self {
        Self {
            routes,
            internal: Router::new(),
            consumers: Vec::new(),
            batches: Vec::new(),
            work: Vec::new(),
        }
    }
}

impl Service {
    pub const ALL: [Self; 10] = [
        Self::User,
        Self::Restaurant,
        Self::Order,
        Self::Payment,
        Self::Delivery,
        Self::Driver,
        Self::Notification,
        Self::Media,
        Self::Live,
        Self::Operator,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::User => tiffin_user::NAME,
            Self::Restaurant => tiffin_restaurant::NAME,
            Self::Order => tiffin_order::NAME,
            Self::Payment => tiffin_payment::NAME,
            Self::Delivery => tiffin_delivery::NAME,
            Self::Driver => tiffin_driver::NAME,
            Self::Notification => tiffin_notification::NAME,
            Self::Media => tiffin_media::NAME,
            Self::Live => tiffin_live::NAME,
            Self::Operator => tiffin_operator::NAME,
        }
    }

    /// The port of `tiffin serve` unless `TIFFIN_BIND` says otherwise.
    pub const fn port(self) -> u16 {
        match self {
            Self::User => 7001,
            Self::Restaurant => 7002,
            Self::Order => 7003,
            Self::Payment => 7004,
            Self::Delivery => 7005,
            Self::Driver => 7006,
            Self::Notification => 7007,
            Self::Media => 7008,
            Self::Live => 7009,
            Self::Operator => 7010,
        }
    }

    /// The tables of its database, if it has one.
    pub fn migrations(self) -> Option<&'static Migrator> {
        match self {
            Self::User => Some(&tiffin_user::MIGRATIONS),
            Self::Restaurant => Some(&tiffin_restaurant::MIGRATIONS),
            Self::Order => Some(&tiffin_order::MIGRATIONS),
            Self::Payment => Some(&tiffin_payment::MIGRATIONS),
            Self::Delivery => Some(&tiffin_delivery::MIGRATIONS),
            Self::Driver => Some(&tiffin_driver::MIGRATIONS),
            Self::Notification => Some(&tiffin_notification::MIGRATIONS),
            Self::Media => Some(&tiffin_media::MIGRATIONS),
            Self::Operator => Some(&tiffin_operator::MIGRATIONS),
            Self::Live => None,
        }
    }

    /// The names in `/readyz` of its database and its relay.
    pub const fn checks(self) -> (&'static str, &'static str) {
        match self {
            Self::User => ("user database", "user relay"),
            Self::Restaurant => ("restaurant database", "restaurant relay"),
            Self::Order => ("order database", "order relay"),
            Self::Payment => ("payment database", "payment relay"),
            Self::Delivery => ("delivery database", "delivery relay"),
            Self::Driver => ("driver database", "driver relay"),
            Self::Notification => ("notification database", "notification relay"),
            Self::Media => ("media database", "media relay"),
            Self::Live => ("live database", "live relay"),
            Self::Operator => ("operator database", "operator relay"),
        }
    }

    /// The name in `/readyz` of the comparison of its database with its streams.
    pub const fn history(self) -> &'static str {
        match self {
            Self::User => "user history",
            Self::Restaurant => "restaurant history",
            Self::Order => "order history",
            Self::Payment => "payment history",
            Self::Delivery => "delivery history",
            Self::Driver => "driver history",
            Self::Notification => "notification history",
            Self::Media => "media history",
            Self::Live => "live history",
            Self::Operator => "operator history",
        }
    }

    /// Puts it together.
    pub fn assemble(self, ground: Ground) -> Result<Parts> {
        let Ground {
            pool,
            broker,
            verifier,
            clock,
            env,
            stop,
        } = ground;
        let pool = pool.context("this service needs a database");
        match self {
            Self::User => {
                let state = tiffin_user::State::new(pool?, verifier, clock, &env)?;
                Ok(Parts {
                    internal: tiffin_user::internal(state.clone()),
                    consumers: tiffin_user::consumers(&state),
                    work: tiffin_user::tasks(&state, &broker, &stop),
                    ..Parts::only(tiffin_user::router(state))
                })
            }
            Self::Restaurant => {
                let state = tiffin_restaurant::State::new(pool?, verifier, clock, &env)?;
                Ok(Parts {
                    consumers: tiffin_restaurant::consumers(&state),
                    ..Parts::only(tiffin_restaurant::router(state))
                })
            }
            Self::Order => {
                let state = tiffin_order::State::new(pool?, verifier, clock, &env)?;
                Ok(Parts {
                    consumers: tiffin_order::consumers(&state),
                    ..Parts::only(tiffin_order::router(state))
                })
            }
            Self::Payment => {
                let state = tiffin_payment::State::new(pool?, verifier, clock, &env)?;
                Ok(Parts {
                    consumers: tiffin_payment::consumers(&state),
                    work: tiffin_payment::tasks(&state, &stop),
                    ..Parts::only(tiffin_payment::router(state))
                })
            }
            Self::Delivery => {
                let state =
                    tiffin_delivery::State::new(pool?, verifier, clock, broker.client, &env)?;
                Ok(Parts {
                    consumers: tiffin_delivery::consumers(&state),
                    batches: tiffin_delivery::batches(&state),
                    ..Parts::only(tiffin_delivery::router(state))
                })
            }
            Self::Driver => {
                let state = tiffin_driver::State::new(pool?, verifier, clock, &env)?;
                Ok(Parts {
                    consumers: tiffin_driver::consumers(&state),
                    batches: tiffin_driver::batches(&state),
                    ..Parts::only(tiffin_driver::router(state))
                })
            }
            Self::Notification => {
                let state = tiffin_notification::State::new(pool?, verifier, clock, &env)?;
                Ok(Parts {
                    consumers: tiffin_notification::consumers(&state),
                    work: tiffin_notification::tasks(&state, &stop),
                    ..Parts::only(tiffin_notification::router(state))
                })
            }
            Self::Media => {
                let state = tiffin_media::State::new(pool?, verifier, clock, &env)?;
                Ok(Parts {
                    consumers: tiffin_media::consumers(&state),
                    work: tiffin_media::tasks(&state, &broker, &stop),
                    ..Parts::only(tiffin_media::router(state))
                })
            }
            Self::Live => {
                let config = tiffin_live::Config::from_env(&env)?;
                let state = tiffin_live::State::new(config, broker.client, &verifier, stop)?;
                Ok(Parts {
                    work: farewell(&state),
                    ..Parts::only(tiffin_live::router(state).into())
                })
            }
            Self::Operator => {
                let broker = broker.with_caps(prepare::caps(&env)?);
                let state = tiffin_operator::State::new(pool?, broker, verifier, clock, stop);
                Ok(Parts {
                    batches: tiffin_operator::batches(&state),
                    work: tiffin_operator::tasks(&state),
                    ..Parts::only(tiffin_operator::router(state))
                })
            }
        }
    }
}

/// Waits, after the stop, until every socket is closed.
fn farewell(state: &tiffin_live::State) -> Vec<Work> {
    vec![Work::new(
        "live farewell",
        state.clone(),
        |sockets| async move { sockets.stopped().await },
    )]
}
