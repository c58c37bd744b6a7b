//! Access tokens.

use sqlx::PgConnection;
use tiffin_chassis::{
    Claims,
    token::{AUDIENCE, ISSUER, LIFETIME_SECONDS, Method, Proof},
};
use tiffin_events::{Clock, Role};

use crate::{
    Error,
    config::AdminSecondFactor,
    keys::KeySet,
    store::{operators, second_factors},
    user::User,
};

/// The claims about an account that its tokens carry.
#[derive(Clone, Debug)]
pub(crate) struct AccountClaims {
    pub operator: bool,
    /// True if the user has to turn on a second factor before anything else opens.
    pub must_enrol: bool,
    pub has_factor: bool,
    pub proof: Proof,
}

impl AccountClaims {
    /// The claims as they are now, of a user with `proof`.
    pub async fn read(
        conn: &mut PgConnection,
        policy: AdminSecondFactor,
        user: &User,
        proof: Proof,
    ) -> Result<Self, Error> {
        let operator = user.role == Role::Operator || operators::contains(conn, user.id).await?;
        let has_factor = second_factors::is_on(conn, user.id).await?;
        Ok(Self {
            operator,
            must_enrol: user.verified && !has_factor && policy.asks(user.role, operator),
            has_factor,
            proof,
        })
    }

    /// True if the proof has all that the account requires; one from before its second factor has not.
    pub fn has_required_proof(&self) -> bool {
        !self.has_factor || self.proof.methods.contains(&Method::Otp)
    }
}

/// Signs an access token that says who `user` is now.
pub(crate) fn issue(
    keys: &KeySet,
    clock: &Clock,
    user: &User,
    claims: &AccountClaims,
) -> Result<String, Error> {
    let now = clock.now().unix_timestamp();
    keys.sign(&Claims {
        iss: ISSUER.to_owned(),
        aud: AUDIENCE.to_owned(),
        sub: user.id,
        role: user.role,
        email: user.email.clone(),
        verified: user.verified,
        operator: claims.operator,
        enrol: claims.must_enrol,
        auth_time: claims.proof.at.map(time::OffsetDateTime::unix_timestamp),
        amr: claims.proof.methods.clone(),
        iat: now,
        nbf: now,
        exp: now + LIFETIME_SECONDS,
        jti: clock.new_id(),
    })
}
