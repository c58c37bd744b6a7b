//! Messages of clients.

use std::time::Instant;

use serde::Deserialize;
use tiffin_chassis::slots::SlotLimits;
use tiffin_events::{
    Role, UserId,
    live::{ClientFrame, DevicePosition, ServerFrame},
};
use tokio::sync::mpsc::{self, error::TrySendError};

use super::{
    dispatch::Dispatcher,
    socket::{Socket, Stage},
};
use crate::{
    audience::key_of,
    messages::{Identity, Question, SocketId},
    refusal::Refusal,
    wire::frame::{self, Incoming},
};

/// Frames of positions that may wait to be checked.
const POSITION_QUEUE: usize = 64;
/// Positions of one frame.
const MAX_POSITIONS: usize = 100;

impl Dispatcher {
    /// Takes a client's messages, in order.
    pub(super) fn on_messages(&mut self, index: usize, incoming: &mut Vec<Incoming>, now: Instant) {
        for message in incoming.drain(..) {
            let most = self.limits.frames_a_second;
            let Some(socket) = self.sockets.get_mut(index) else {
                return;
            };
            if socket.is_closing() {
                return;
            }
            let is_in_time = socket.frame_limiter.allows_frame(now, most);
            match message {
                Incoming::Close => self.close(index, 1000, "", "client"),
                _ if !is_in_time => self.bad_frame(index, Refusal::TooManyFrames, now),
                Incoming::Pong => {}
                Incoming::Ping(payload) => self.send(index, frame::pong(&payload)),
                Incoming::Binary => self.bad_frame(index, Refusal::NotText, now),
                Incoming::Text(text) => match read(&text) {
                    Ok(frame) => self.frame(index, frame, now),
                    Err(refusal) => self.bad_frame(index, refusal, now),
                },
            }
        }
    }

    fn frame(&mut self, index: usize, frame: ClientFrame, now: Instant) {
        let Some(socket) = self.sockets.get_mut(index) else {
            return;
        };
        match (frame, socket.stage) {
            (ClientFrame::Auth { token }, Stage::Unauthenticated { .. }) => {
                socket.stage = Stage::Authenticating;
                let socket = socket.id;
                self.ask(Question::Authenticate { socket, token });
            }
            (ClientFrame::Auth { .. }, _) => self.bad_frame(index, Refusal::SignedIn, now),
            (_, Stage::Unauthenticated { .. }) => {
                self.close(index, 4401, "Please login first.", "unauthenticated");
            }
            (frame, Stage::Open(identity)) => self.on_request(index, frame, identity, now),
            (_, Stage::Authenticating) => self.bad_frame(index, Refusal::SigningIn, now),
            (_, Stage::Closing { .. }) => {}
        }
    }

    fn on_request(&mut self, index: usize, frame: ClientFrame, identity: Identity, now: Instant) {
        match frame {
            ClientFrame::Watch { topic, after } => match key_of(&topic, identity) {
                Ok(key) => self.watch(index, key, after),
                Err(refusal) => self.refuse(index, topic, refusal),
            },
            ClientFrame::Unwatch { topic } => {
                if let Ok(key) = key_of(&topic, identity) {
                    self.unwatch(index, key);
                }
            }
            // Refused here, before anything is looked up.
            ClientFrame::Position(_) | ClientFrame::Positions { .. }
                if identity.role != Role::Delivery =>
            {
                self.bad_frame(index, Refusal::NotDriver, now);
            }
            ClientFrame::Positions { positions } if positions.len() > MAX_POSITIONS => {
                let most = MAX_POSITIONS;
                self.bad_frame(index, Refusal::TooManyPositions { most }, now);
            }
            ClientFrame::Position(position) => self.positions(index, vec![position], identity.user),
            ClientFrame::Positions { positions } => self.positions(index, positions, identity.user),
            ClientFrame::Auth { .. } => {}
        }
    }

    /// Hands positions to the driver's task, which starts with the first.
    fn positions(&mut self, index: usize, positions: Vec<DevicePosition>, user: UserId) {
        self.carries_positions = true;
        let Some(socket) = self.sockets.get_mut(index) else {
            return;
        };
        let (id, questions) = (socket.id, &self.questions);
        let sender = socket.positions.get_or_insert_with(|| {
            let (sender, positions) = mpsc::channel(POSITION_QUEUE);
            // Without look-ups the process is about to end.
            let _ = questions.send(Question::Drive {
                socket: id,
                user,
                positions,
            });
            sender
        });
        match sender.try_send(positions) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => self.send_error(index, Refusal::TooFast),
            Err(TrySendError::Closed(_)) => socket.positions = None,
        }
    }

    pub(super) fn authenticated(&mut self, id: SocketId, identity: Result<Identity, String>) {
        if !self.sockets.is_alive(id) {
            return;
        }
        let identity = match identity {
            Ok(identity) if self.is_revoked(identity) => {
                Err("The token was ended. Please log in again.".to_owned())
            }
            identity => identity,
        };
        match identity {
            Err(reason) => self.close(id.index, 4401, &reason, "unauthenticated"),
            Ok(identity) => {
                let most = SlotLimits {
                    all: usize::MAX,
                    each: self.limits.account_sockets,
                };
                let Ok(slot) = self.accounts.take(identity.user, 1, most) else {
                    let reason = "Too many pages are open. Please close one.";
                    self.close(id.index, 1013, reason, "account");
                    return;
                };
                self.sockets[id.index].account_slot = Some(slot);
                self.sockets[id.index].stage = Stage::Open(identity);
                let ready = self.encoder.json(&ServerFrame::Ready {
                    user_id: identity.user,
                    expires_at: identity.expires,
                });
                self.send(id.index, ready);
            }
        }
    }

    fn is_revoked(&self, identity: Identity) -> bool {
        let revocations = self.verifier.revocations();
        revocations.is_revoked(identity.user, identity.issued)
            || revocations.is_doubtful(identity.issued, self.verifier.clock().now())
    }

    /// Closes the sockets whose tokens ended: `user`'s, or all expired ones if it is `None`.
    pub(super) fn revoked(&mut self, user: Option<UserId>) {
        for index in self.sockets.indexes() {
            let Some(identity) = self.sockets.get(index).and_then(Socket::identity) else {
                continue;
            };
            if user.is_none_or(|user| user == identity.user) && self.is_revoked(identity) {
                let reason = "The token was ended. Please log in again.";
                self.close(index, 4401, reason, "revoked");
            }
        }
    }

    pub(super) fn send_error(&mut self, index: usize, refusal: Refusal) {
        let error = self.encoder.json(&refusal.error());
        self.send(index, error);
    }

    pub(super) fn refuse(&mut self, index: usize, topic: String, refusal: Refusal) {
        let refused = self.encoder.json(&refusal.of_topic(topic));
        self.send(index, refused);
    }

    /// Answers a frame that can't be taken. A client that sends too many of them is closed.
    fn bad_frame(&mut self, index: usize, refusal: Refusal, now: Instant) {
        let most = self.limits.bad_frames;
        let Some(socket) = self.sockets.get_mut(index) else {
            return;
        };
        if socket.frame_limiter.allows_bad_frame(now, most) {
            self.send_error(index, refusal);
        } else {
            let reason = "Too many frames that can't be taken.";
            self.close(index, 1008, reason, "faults");
        }
    }
}

/// Reads a frame. A refusal repeats nothing of it.
pub fn read(text: &str) -> Result<ClientFrame, Refusal> {
    #[derive(Deserialize)]
    struct Kind {
        #[serde(rename = "type")]
        kind: String,
    }
    serde_json::from_str::<ClientFrame>(text).map_err(|_| {
        if serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() {
            return Refusal::NotJson;
        }
        let known = ["auth", "watch", "unwatch", "position", "positions"];
        match serde_json::from_str::<Kind>(text) {
            Ok(Kind { kind }) => known
                .iter()
                .find(|known| **known == kind)
                .map_or_else(|| Refusal::UnknownType, |&kind| Refusal::Field { kind }),
            Err(_) => Refusal::NotFrame,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_wrong_frame_gets_an_error() {
        for (text, reason) in [
            ("{", "This is not JSON."),
            ("", "This is not JSON."),
            ("[1]", "A frame is a JSON object with a type."),
            ("{}", "A frame is a JSON object with a type."),
            (r#"{"type":"dance"}"#, "This type of frame does not exist."),
            (
                r#"{"type":"watch","topic":1}"#,
                "A field of this watch frame is missing or not of its type.",
            ),
            (
                r#"{"type":"position","lat":"6","lng":79,"at":"2026-11-21T09:00:00Z"}"#,
                "A field of this position frame is missing or not of its type.",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), reason, "{text}");
        }
        assert!(read(r#"{"type":"watch","topic":"me","more":1}"#).is_ok());
    }
}
