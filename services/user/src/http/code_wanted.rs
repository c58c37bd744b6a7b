use tiffin_chassis::Problem;

use super::login::SignInRefusal;

/// 401 that asks for the code. A client that knows nothing of it shows the sentence.
pub(super) fn code_wanted(challenge: &str) -> Problem {
    Problem::from(SignInRefusal::CodeWanted)
        .with_extension("reason", &"second_factor_required")
        .with_extension("challenge", &challenge)
}
