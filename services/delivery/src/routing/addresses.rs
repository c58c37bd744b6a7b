//! The router's addresses.

use std::{fmt, str::FromStr};

use reqwest::Url;
use tiffin_events::driver::VehicleType;

/// The rules of a vehicle: the streets it may use and how fast it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Profile {
    Bike,
    Scooter,
    Car,
}

impl Profile {
    const ALL: [Self; 3] = [Self::Bike, Self::Scooter, Self::Car];

    const fn name(self) -> &'static str {
        match self {
            Self::Bike => "bike",
            Self::Scooter => "scooter",
            Self::Car => "car",
        }
    }

    /// The profile of a driver; a scooter's if the vehicle is unknown.
    pub const fn of(vehicle: Option<VehicleType>) -> Self {
        match vehicle {
            None => Self::Scooter,
            Some(VehicleType::Bike) => Self::Bike,
            Some(VehicleType::Car | VehicleType::Van | VehicleType::Truck) => Self::Car,
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value of `TIFFIN_ROUTER_URL`: one address for every profile, or `bike=…,scooter=…,car=…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Addresses([String; 3]);

/// The reason why the value can't be read.
#[derive(Debug, thiserror::Error)]
#[error("it is one http address, or bike=ADDRESS,scooter=ADDRESS,car=ADDRESS: {0}")]
pub(super) struct BadAddresses(String);

impl Addresses {
    /// The address of a profile, without a slash at its end.
    pub fn of(&self, profile: Profile) -> &str {
        &self.0[profile as usize]
    }
}

impl FromStr for Addresses {
    type Err = BadAddresses;

    fn from_str(text: &str) -> Result<Self, BadAddresses> {
        if !text.contains(',')
            && Profile::ALL
                .iter()
                .all(|it| !text.starts_with(&format!("{it}=")))
        {
            let one = address(text)?;
            return Ok(Self([one.clone(), one.clone(), one]));
        }
        let find = |profile: Profile| {
            let prefix = format!("{profile}=");
            let entry = text
                .split(',')
                .find_map(|part| part.trim().strip_prefix(&prefix));
            address(entry.ok_or_else(|| BadAddresses(format!("{profile} is missing")))?)
        };
        Ok(Self([
            find(Profile::Bike)?,
            find(Profile::Scooter)?,
            find(Profile::Car)?,
        ]))
    }
}

fn address(text: &str) -> Result<String, BadAddresses> {
    let url: Url = text
        .parse()
        .map_err(|error| BadAddresses(format!("{text}: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BadAddresses(format!(
            "{text}: it begins with http:// or https://"
        )));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_serves_every_profile_and_a_list_has_one_for_each() {
        let one: Addresses = "http://127.0.0.1:5000/".parse().unwrap();
        for profile in Profile::ALL {
            assert_eq!(one.of(profile), "http://127.0.0.1:5000");
        }
        let list: Addresses = "car=http://c:3, bike=http://b:1/osrm,scooter=https://s:2"
            .parse()
            .unwrap();
        assert_eq!(list.of(Profile::Bike), "http://b:1/osrm");
        assert_eq!(list.of(Profile::Scooter), "https://s:2");
        assert_eq!(list.of(Profile::Car), "http://c:3");
    }

    #[test]
    fn a_value_that_is_no_address_is_refused() {
        for (text, reason) in [
            ("bike=http://b:1", "scooter is missing"),
            ("localhost", "localhost: "),
            ("ftp://router", "begins with http"),
        ] {
            let error = text.parse::<Addresses>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn each_vehicle_has_a_profile() {
        let of = |vehicle| Profile::of(Some(vehicle)).name();
        let all: Vec<_> = VehicleType::ALL.into_iter().map(of).collect();
        assert_eq!(all, ["car", "bike", "car", "car"]);
        assert_eq!(Profile::of(None).name(), "scooter");
    }
}
