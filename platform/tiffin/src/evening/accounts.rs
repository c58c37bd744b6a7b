//! The evening's accounts. They are made once, in the databases of the platform that runs here, as `tiffin admin
//! create` makes administrators; so no limit on sign-ups counts them.

use std::collections::HashSet;

use anyhow::{Context, Result};
use sqlx::PgPool;
use tiffin_bus::Recorder;
use tiffin_chassis::Env;
use tiffin_driver::seed::{self, NewDriver};
use tiffin_events::{Clock, Role, UserId};
use tiffin_user::{NewAccount, Profile};

use super::{city::Person, plan::Plan};
use crate::{database, demo, keys, run_file::RunFile, services::Service};

/// Makes the accounts that are missing. Returns their number.
pub async fn ensure(running: &RunFile, plan: &Plan, env: &Env) -> Result<usize> {
    let (users, drivers) = (
        pool(running, Service::User)?,
        pool(running, Service::Driver)?,
    );
    let recorder = keys::recorder(&users, &Clock::system(), env)?;
    let known = known(&users, plan).await?;
    let mut made = 0;
    for person in plan.customers.iter().chain(&plan.drivers) {
        if !known.contains(&person.email) {
            create(&users, &drivers, &recorder, person).await?;
            made += 1;
        }
    }
    users.close().await;
    drivers.close().await;
    Ok(made)
}

fn pool(running: &RunFile, service: Service) -> Result<PgPool> {
    let url = running.databases.get(service.name());
    let url = url.with_context(|| format!("run.json names no database of {}", service.name()))?;
    database::pool(url, service.name(), database::COMMAND_CONNECTIONS)
}

async fn known(users: &PgPool, plan: &Plan) -> Result<HashSet<String>> {
    let all = plan.customers.iter().chain(&plan.drivers);
    let emails: Vec<String> = all.map(|person| person.email.clone()).collect();
    let known: Vec<String> = sqlx::query_scalar("select email from users where email = any($1)")
        .bind(emails)
        .fetch_all(users)
        .await?;
    Ok(known.into_iter().collect())
}

/// Makes an account. A driver's entry comes first: if this is interrupted, the account is missing and made the next
/// time, with another id.
async fn create(
    users: &PgPool,
    drivers: &PgPool,
    recorder: &Recorder,
    person: &Person,
) -> Result<()> {
    let id = UserId(recorder.clock.new_id());
    if let Some(vehicle_type) = person.vehicle {
        let entry = NewDriver {
            id,
            vehicle_type,
            dr_nic: format!("19{}", person.phone.trim_start_matches("+94")),
            is_available: true,
        };
        seed::register(drivers, recorder, entry).await?;
    }
    let new = NewAccount {
        id,
        email: person.email.clone(),
        password: demo::PASSWORD.to_owned(),
        role: if person.vehicle.is_some() {
            Role::Delivery
        } else {
            Role::Customer
        },
        profile: Profile {
            first_name: person.first_name.to_owned(),
            last_name: person.last_name.to_owned(),
            phone: person.phone.clone(),
            address: person.address.clone(),
            image: None,
            place: Some(person.place),
        },
        operator: false,
    };
    let made = tiffin_user::create_account(users, recorder, new).await;
    made.map(drop)
        .with_context(|| format!("{} can't be made", person.email))
}
