use tiffin_chassis::Problem;

/// 401 that asks for the code. A client that knows nothing of it shows the sentence.
pub(super) fn code_wanted(challenge: &str) -> Problem {
    Problem::unauthorized("Please enter the code of your authenticator app to sign in.")
        .with_extension("reason", &"second_factor_required")
        .with_extension("challenge", &challenge)
}
