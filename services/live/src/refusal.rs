//! The reasons why the bridge does not do what a frame asks.

use tiffin_chassis::{refusal::Reason, refusals};
use tiffin_events::live::ServerFrame;

refusals! {
    /// A reason, with the status that an answer over HTTP would have. `refused` has it for a `watch`, `error` for all
    /// other frames.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        NotJson = 400, "live.not-json", "This is not JSON.";
        NotFrame = 400, "live.not-frame", "A frame is a JSON object with a type.";
        NotText = 415, "live.not-text", "Only text frames of JSON are taken.";
        UnknownType = 422, "live.type-unknown", "This type of frame does not exist.";
        Field { kind: &'static str } =
            422, "live.field-invalid", "A field of this {kind} frame is missing or not of its type.";
        SigningIn = 409, "live.signing-in", "Please wait for the answer to auth.";
        SignedIn = 409, "live.signed-in", "You are logged in already.";
        TooManyFrames = 429, "live.too-many-frames", "Too many frames. Please slow down.";

        /// The same for another account's topic and for one that does not exist.
        NotAllowed = 404, "live.not-allowed", "There is no such thing for you to watch.";
        UnknownTopic = 422, "live.topic-unknown",
            "A topic is delivery:<id>, order:<id>, me, for administrators deliveries, or for operators replay:<id>.";
        TooManyTopics = 409, "live.too-many-topics", "Too many topics.";
        Unavailable =
            503, "live.unavailable", "This can't be watched at the moment. Please try again.";

        NotDriver = 403, "live.not-driver", "You are not the driver of this delivery.";
        NotUnderWay = 409, "live.not-under-way", "This delivery is not under way.";
        Coordinates =
            422, "live.coordinates-out-of-range", "lat must be from -90 to 90 and lng from -180 to 180.";
        Heading = 422, "live.heading-out-of-range", "heading must be from 0 to 360.";
        Speed = 422, "live.speed-out-of-range", "speed must be from 0 to 1000.";
        Accuracy = 422, "live.accuracy-negative", "accuracy must not be negative.";
        Future = 422, "live.time-in-future", "at must not be in the future.";
        Past = 422, "live.time-too-old", "at must not be older than a day.";
        TooManyPositions { most: usize } =
            422, "live.too-many-positions", "A frame may have {most} positions.";
        TooManyDeliveries =
            429, "live.too-many-deliveries", "Positions of too many deliveries come at once.";
        TooFast = 429, "live.too-fast", "Positions come too fast.";
        PositionsUnavailable =
            503, "live.positions-unavailable", "Positions can't be taken at the moment.";
    }
}

impl Refusal {
    /// The answer to a `watch`.
    pub fn of_topic(self, topic: String) -> ServerFrame {
        let Reason { code, message, .. } = self.into();
        ServerFrame::Refused {
            topic,
            code: code.into_owned(),
            message,
        }
    }

    /// The answer to another frame.
    pub fn error(self) -> ServerFrame {
        let Reason { code, message, .. } = self.into();
        ServerFrame::Error {
            code: code.into_owned(),
            message,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_frame_has_the_code_and_the_sentence() {
        assert_eq!(
            serde_json::to_value(Refusal::NotAllowed.of_topic("me".to_owned())).unwrap(),
            json!({
                "type": "refused",
                "topic": "me",
                "code": "live.not-allowed",
                "message": "There is no such thing for you to watch.",
            })
        );
        assert_eq!(
            serde_json::to_value(Refusal::TooManyPositions { most: 100 }.error()).unwrap(),
            json!({
                "type": "error",
                "code": "live.too-many-positions",
                "message": "A frame may have 100 positions.",
            })
        );
    }
}
