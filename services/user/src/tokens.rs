use tiffin_chassis::{
    Claims,
    token::{AUDIENCE, ISSUER, LIFETIME_SECONDS},
};
use tiffin_events::Clock;

use crate::{Error, keys::KeySet, user::User};

/// Signs an access token that says who `user` is now.
pub(crate) fn issue(keys: &KeySet, clock: &Clock, user: &User) -> Result<String, Error> {
    let now = clock.now().unix_timestamp();
    keys.sign(&Claims {
        iss: ISSUER.to_owned(),
        aud: AUDIENCE.to_owned(),
        sub: user.id,
        role: user.role,
        email: user.email.clone(),
        verified: user.verified,
        iat: now,
        nbf: now,
        exp: now + LIFETIME_SECONDS,
        jti: clock.new_id(),
    })
}
