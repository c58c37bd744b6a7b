use tiffin_events::{Coordinates, driver::VehicleType};

/// Finds the time of rides.
pub trait Travel {
    /// The seconds from one place to another with a vehicle.
    fn seconds(&self, vehicle: Option<VehicleType>, from: Coordinates, to: Coordinates) -> f64;
}

/// Rides in a straight line at one speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtSpeed {
    /// Metres a second, detours taken off.
    pub speed: f64,
}

impl Travel for AtSpeed {
    fn seconds(&self, _: Option<VehicleType>, from: Coordinates, to: Coordinates) -> f64 {
        from.metres_to(to) / self.speed
    }
}
