//! `tiffin version`: the release, its commit, and the last step of each database.

use crate::{database, services::Service};

pub fn print() {
    println!("tiffin {}", env!("CARGO_PKG_VERSION"));
    println!(
        "commit {}",
        option_env!("TIFFIN_COMMIT").unwrap_or("unknown")
    );
    for service in Service::ALL {
        if let Some(own) = service.migrations() {
            println!("schema {} {}", service.name(), database::schema(own));
        }
    }
}
