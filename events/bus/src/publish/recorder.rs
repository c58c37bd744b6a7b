use tiffin_events::Clock;

use crate::seal::Keys;

/// The means of recording events: their times and ids come from the clock, and the keys seal personal fields. Cheap to
/// clone.
#[derive(Clone, Debug)]
pub struct Recorder {
    pub clock: Clock,
    pub keys: Keys,
}

impl Recorder {
    pub fn new(clock: Clock, keys: Keys) -> Self {
        Self { clock, keys }
    }
}
