//! Sealed personal fields. They travel encrypted under the key of the person that they are about, and consumers read
//! them as plain values. The user service keeps the keys and destroys the one of a closed account: its fields read as
//! erased from then on, in every copy.

mod ask;
mod key;
mod keys;
mod respond;

pub(crate) use self::keys::{OpenError, Opener};
pub use self::{
    ask::{KeyAsk, KeySource, KeyState, KeysError},
    key::{BadPart, PersonKey, Secret},
    keys::{Keys, SealError},
    respond::KeyResponder,
};
