use sqlx::PgConnection;
use tiffin_chassis::{
    Claims,
    token::{AUDIENCE, ISSUER, LIFETIME_SECONDS, Method, Proof},
};
use tiffin_events::{Clock, Role};

use crate::{Error, config::AdminSecondFactor, keys::KeySet, operators, second_factor, user::User};

/// The facts about an account that its tokens carry.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub operator: bool,
    /// True if the user has to turn on a second factor before anything else opens.
    pub enrol: bool,
    pub has_factor: bool,
    pub proof: Proof,
}

impl Standing {
    /// As it is now, of a user who has shown `proof`.
    pub async fn read(
        conn: &mut PgConnection,
        policy: AdminSecondFactor,
        user: &User,
        proof: Proof,
    ) -> Result<Self, Error> {
        let operator = user.role == Role::Operator || operators::is_one(conn, user.id).await?;
        let has_factor = second_factor::is_on(conn, user.id).await?;
        Ok(Self {
            operator,
            enrol: user.verified && !has_factor && policy.asks(user.role, operator),
            has_factor,
            proof,
        })
    }

    /// True if the session has shown all that the account requires: one from before its second factor has
    /// not.
    pub fn is_enough(&self) -> bool {
        !self.has_factor || self.proof.methods.contains(&Method::Otp)
    }
}

/// Signs an access token that says who `user` is now.
pub(crate) fn issue(
    keys: &KeySet,
    clock: &Clock,
    user: &User,
    standing: &Standing,
) -> Result<String, Error> {
    let now = clock.now().unix_timestamp();
    keys.sign(&Claims {
        iss: ISSUER.to_owned(),
        aud: AUDIENCE.to_owned(),
        sub: user.id,
        role: user.role,
        email: user.email.clone(),
        verified: user.verified,
        operator: standing.operator,
        enrol: standing.enrol,
        auth_time: standing.proof.at.map(time::OffsetDateTime::unix_timestamp),
        amr: standing.proof.methods.clone(),
        iat: now,
        nbf: now,
        exp: now + LIFETIME_SECONDS,
        jti: clock.new_id(),
    })
}
