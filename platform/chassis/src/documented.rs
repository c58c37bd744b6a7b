//! Refusals that many operations share, for `responses(…)` of their description. Each operation lists
//! its own beside these, with [`ProblemBody`] as their body.

use utoipa::IntoResponses;

use crate::problem::ProblemBody;

/// Refusals of an operation with a JSON body, before it looks at the fields.
#[derive(IntoResponses)]
pub enum BadBody {
    #[response(
        status = 400,
        description = "The body is not JSON.",
        content_type = "application/problem+json"
    )]
    Malformed(ProblemBody),
    #[response(
        status = 413,
        description = "The body is too large.",
        content_type = "application/problem+json"
    )]
    TooLarge(ProblemBody),
    #[response(
        status = 415,
        description = "The body is not declared as JSON.",
        content_type = "application/problem+json"
    )]
    WrongType(ProblemBody),
}

/// Refusals of an operation for signed-in users.
#[derive(IntoResponses)]
pub enum BadToken {
    #[response(
        status = 401,
        description = "There is no token, or it is not valid any more.",
        content_type = "application/problem+json"
    )]
    Refused(ProblemBody),
    #[response(
        status = 403,
        description = "The caller has not proven their e-mail address, or may not do this.",
        content_type = "application/problem+json"
    )]
    Forbidden(ProblemBody),
}

/// The refusal of too many requests.
#[derive(IntoResponses)]
pub enum TooMany {
    #[response(
        status = 429,
        description = "Too many requests by the caller or from their network; `Retry-After` says for how many seconds.",
        content_type = "application/problem+json"
    )]
    Refused(ProblemBody),
}
