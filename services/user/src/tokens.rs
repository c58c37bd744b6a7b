use tiffin_chassis::{
    Claims,
    token::{AUDIENCE, ISSUER},
};
use tiffin_events::Clock;
use time::Duration;

use crate::{Error, keys::KeySet, user::User};

/// How long an access token is good for.
pub(crate) const LIFE: Duration = Duration::minutes(15);

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
        exp: now + LIFE.whole_seconds(),
        jti: clock.new_id(),
    })
}
