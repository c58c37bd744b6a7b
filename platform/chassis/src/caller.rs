//! The caller of a request.

use axum::extract::{FromRef, FromRequestParts};
use http::{HeaderMap, header, request::Parts};
use tiffin_events::{Role, UserId};
use time::OffsetDateTime;

use crate::{
    Problem, Verifier,
    refusal::{BadToken, WrongCaller},
    token::{FRESH_FOR, Proof},
};

/// A signed-in user with a proven e-mail address.
#[derive(Clone, Debug)]
pub struct Caller {
    pub id: UserId,
    pub role: Role,
    pub email: String,
    /// True if they operate the event history.
    pub operator: bool,
    /// The time and manner of their last proof.
    pub proof: Proof,
}

impl Caller {
    /// 403 unless the caller has one of these roles.
    pub fn require(&self, roles: &[Role]) -> Result<(), Problem> {
        if roles.contains(&self.role) {
            Ok(())
        } else {
            Err(WrongCaller::Role.into())
        }
    }
    /// 403 unless the caller operates the event history, which no role includes.
    pub fn require_operator(&self) -> Result<(), Problem> {
        if self.operator {
            Ok(())
        } else {
            Err(WrongCaller::NoOperator.into())
        }
    }
    /// 401 unless the caller showed who they are within the last five minutes (RFC 9470).
    pub fn require_fresh(&self, now: OffsetDateTime) -> Result<(), Problem> {
        if self.proof.is_fresh(now) {
            Ok(())
        } else {
            Err(Problem::proof_too_old(FRESH_FOR.unsigned_abs()))
        }
    }
    pub fn is_admin(&self) -> bool {
        self.role == Role::Admin
    }
}

/// A signed-in user whose e-mail address may not be proven yet.
#[derive(Clone, Debug)]
pub struct AnyCaller {
    pub caller: Caller,
    pub verified: bool,
}

/// A signed-in user with a proven e-mail address, who may have to turn on a second factor first.
#[derive(Clone, Debug)]
pub struct EnrollingCaller(pub Caller);

/// A signed-in user, or anyone. A bad token is still refused.
#[derive(Clone, Debug)]
pub struct OptionalCaller(pub Option<Caller>);

/// The content of a valid token.
struct Identified {
    anyone: AnyCaller,
    enrol: bool,
}

impl Identified {
    fn enrolled(self) -> Result<AnyCaller, BadToken> {
        if self.enrol {
            Err(BadToken::TwoStepFirst)
        } else {
            Ok(self.anyone)
        }
    }
}

impl AnyCaller {
    fn proven(self) -> Result<Caller, BadToken> {
        if self.verified {
            Ok(self.caller)
        } else {
            Err(BadToken::Unverified)
        }
    }
}

impl<S> FromRequestParts<S> for Caller
where
    Verifier: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let caller = AnyCaller::from_request_parts(parts, state).await?;
        Ok(caller.proven()?)
    }
}

impl<S> FromRequestParts<S> for AnyCaller
where
    Verifier: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        Ok(signed_in(parts, state).await?.enrolled()?)
    }
}

impl<S> FromRequestParts<S> for EnrollingCaller
where
    Verifier: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let caller = signed_in(parts, state).await?.anyone.proven()?;
        Ok(Self(caller))
    }
}

impl<S> FromRequestParts<S> for OptionalCaller
where
    Verifier: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let caller = identify(&parts.headers, &Verifier::from_ref(state)).await?;
        let caller = caller.map(|caller| caller.enrolled().and_then(AnyCaller::proven));
        Ok(Self(caller.transpose()?))
    }
}

async fn signed_in<S>(parts: &Parts, state: &S) -> Result<Identified, BadToken>
where
    Verifier: FromRef<S>,
{
    identify(&parts.headers, &Verifier::from_ref(state))
        .await?
        .ok_or(BadToken::Missing)
}

async fn identify(
    headers: &HeaderMap,
    verifier: &Verifier,
) -> Result<Option<Identified>, BadToken> {
    let Some(token) = bearer(headers)? else {
        return Ok(None);
    };
    let claims = verifier.verify(token).await?;
    tracing::Span::current().record("user", tracing::field::display(claims.sub));
    let proof = claims.proof();
    let caller = Caller {
        id: claims.sub,
        role: claims.role,
        email: claims.email,
        operator: claims.operator,
        proof,
    };
    Ok(Some(Identified {
        anyone: AnyCaller {
            caller,
            verified: claims.verified,
        },
        enrol: claims.enrol,
    }))
}

/// The bearer token (RFC 6750, section 2.1), if the request names one.
fn bearer(headers: &HeaderMap) -> Result<Option<&str>, BadToken> {
    let Some(value) = headers.get(header::AUTHORIZATION) else {
        return Ok(None);
    };
    let (scheme, token) = value
        .to_str()
        .ok()
        .and_then(|text| text.split_once(' '))
        .unwrap_or_default();
    let token = token.trim();
    if scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() {
        Ok(Some(token))
    } else {
        Err(BadToken::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, StatusCode};

    use super::*;

    fn headers(authorization: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(
            header::AUTHORIZATION,
            HeaderValue::from_static(authorization),
        )])
    }

    #[test]
    fn the_scheme_is_read_in_any_case() {
        assert_eq!(bearer(&headers("Bearer abc")).unwrap(), Some("abc"));
        assert_eq!(bearer(&headers("bEARER abc")).unwrap(), Some("abc"));
        assert_eq!(bearer(&HeaderMap::new()).unwrap(), None);
    }

    #[test]
    fn anything_else_is_refused_rather_than_ignored() {
        for bad in ["Basic abc", "Bearer", "Bearer ", "abc"] {
            let refusal = bearer(&headers(bad)).unwrap_err();
            assert_eq!(refusal, BadToken::Malformed, "{bad}");
        }
    }

    #[test]
    fn a_role_that_was_not_named_is_forbidden() {
        let caller = Caller {
            id: UserId(uuid::Uuid::nil()),
            role: Role::Customer,
            email: String::new(),
            operator: false,
            proof: Proof::default(),
        };
        assert!(caller.require(&[Role::Customer, Role::Admin]).is_ok());
        assert_eq!(
            caller.require(&[Role::Admin]).unwrap_err().status,
            StatusCode::FORBIDDEN
        );
    }
}
