//! The services, and how each is put together.

use anyhow::{Context, Result};
use axum::Router;
use clap::ValueEnum;
use sqlx::{PgPool, migrate::Migrator};
use tiffin_bus::{
    BatchConsumer, Broker, Consumer, Recorder,
    personal::{Personal, ReadFile},
};
use tiffin_chassis::{Env, SupervisedTask, Verifier};
use tiffin_events::{
    Clock,
    services::{self, SERVICES},
};
use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;

use crate::{archive, prepare};

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
pub struct Dependencies {
    /// Absent if the service has no database.
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
    pub work: Vec<SupervisedTask>,
    /// Reads the files of accounts' rows, if it has some.
    pub files: Option<ReadFile>,
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
            files: None,
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

    /// Its row in the list of services.
    pub const fn row(self) -> &'static services::Service {
        &SERVICES[self as usize]
    }

    pub const fn name(self) -> &'static str {
        self.row().name
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

    /// True if its database has amounts of money.
    pub const fn counts_money(self) -> bool {
        matches!(
            self,
            Self::Restaurant | Self::Order | Self::Payment | Self::Delivery
        )
    }

    /// The rows that it holds about accounts, if it has a database.
    pub fn personal(self) -> Option<&'static Personal> {
        match self {
            Self::User => Some(&tiffin_user::PERSONAL),
            Self::Restaurant => Some(&tiffin_restaurant::PERSONAL),
            Self::Order => Some(&tiffin_order::PERSONAL),
            Self::Payment => Some(&tiffin_payment::PERSONAL),
            Self::Delivery => Some(&tiffin_delivery::PERSONAL),
            Self::Driver => Some(&tiffin_driver::PERSONAL),
            Self::Notification => Some(&tiffin_notification::PERSONAL),
            Self::Media => Some(&tiffin_media::PERSONAL),
            Self::Operator => Some(&tiffin_operator::PERSONAL),
            Self::Live => None,
        }
    }

    /// Builds the service.
    pub fn assemble(self, dependencies: Dependencies) -> Result<Parts> {
        let Dependencies {
            pool,
            broker,
            verifier,
            clock,
            env,
            stop,
        } = dependencies;
        let name = self.name();
        let recorder = Recorder::new(clock.clone(), broker.keys.clone());
        let pool = pool.with_context(|| format!("the {name} service needs a database"));
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
                let state = tiffin_restaurant::State::new(pool?, verifier, recorder, &env)?;
                Ok(Parts {
                    consumers: tiffin_restaurant::consumers(&state),
                    ..Parts::only(tiffin_restaurant::router(state))
                })
            }
            Self::Order => {
                let state = tiffin_order::State::new(pool?, verifier, recorder, &env)?;
                Ok(Parts {
                    consumers: tiffin_order::consumers(&state),
                    work: tiffin_order::tasks(&state, &stop),
                    ..Parts::only(tiffin_order::router(state))
                })
            }
            Self::Payment => {
                let state = tiffin_payment::State::new(pool?, verifier, recorder, &env)?;
                Ok(Parts {
                    consumers: tiffin_payment::consumers(&state),
                    work: tiffin_payment::tasks(&state, &stop),
                    ..Parts::only(tiffin_payment::router(state))
                })
            }
            Self::Delivery => {
                let state =
                    tiffin_delivery::State::new(pool?, verifier, recorder, broker.client, &env)?;
                Ok(Parts {
                    consumers: tiffin_delivery::consumers(&state),
                    batches: tiffin_delivery::batches(&state),
                    work: tiffin_delivery::tasks(&state, &stop),
                    ..Parts::only(tiffin_delivery::router(state))
                })
            }
            Self::Driver => {
                let state = tiffin_driver::State::new(pool?, verifier, recorder, &env)?;
                Ok(Parts {
                    consumers: tiffin_driver::consumers(&state),
                    batches: tiffin_driver::batches(&state),
                    ..Parts::only(tiffin_driver::router(state))
                })
            }
            Self::Notification => {
                let state = tiffin_notification::State::new(pool?, verifier, recorder, &env)?;
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
                    files: Some(tiffin_media::personal_files(&state)),
                    ..Parts::only(tiffin_media::router(state))
                })
            }
            Self::Live => {
                let config = tiffin_live::Config::from_env(&env)?;
                let state = tiffin_live::State::new(config, broker.client, &verifier, stop)?;
                Ok(Parts {
                    work: wait_for_sockets(&state),
                    ..Parts::only(tiffin_live::router(state).into())
                })
            }
            Self::Operator => {
                let broker = broker.with_caps(prepare::caps(&env)?);
                let state = tiffin_operator::State::new(pool?, broker, verifier, clock, stop)
                    .with_broker_disk(prepare::broker_disk(&env)?)
                    .with_window(archive::window(&env)?);
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
fn wait_for_sockets(state: &tiffin_live::State) -> Vec<SupervisedTask> {
    vec![SupervisedTask::new(
        "live farewell",
        state.clone(),
        |sockets| async move { sockets.stopped().await },
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_services_are_those_of_the_list_in_its_order() {
        let names = [
            tiffin_user::NAME,
            tiffin_restaurant::NAME,
            tiffin_order::NAME,
            tiffin_payment::NAME,
            tiffin_delivery::NAME,
            tiffin_driver::NAME,
            tiffin_notification::NAME,
            tiffin_media::NAME,
            tiffin_live::NAME,
            tiffin_operator::NAME,
        ];
        assert_eq!(names, services::NAMES);
        for service in Service::ALL {
            assert_eq!(
                service.to_possible_value().unwrap().get_name(),
                service.name()
            );
            assert_eq!(service.migrations().is_some(), service.row().has_database);
            assert_eq!(service.personal().is_some(), service.row().has_database);
        }
    }
}
