//! The methods of a sign-in as the database has them.

use tiffin_chassis::token::Method;

/// Methods as they are stored.
pub(crate) fn names(methods: &[Method]) -> Vec<String> {
    let named = methods.iter().filter_map(|method| match method {
        Method::Pwd => Some("pwd"),
        Method::Otp => Some("otp"),
        Method::Other => None,
    });
    named.map(str::to_owned).collect()
}

/// Stored methods.
pub(crate) fn read(names: &[String]) -> Vec<Method> {
    let read = names.iter().map(|name| match name.as_str() {
        "pwd" => Method::Pwd,
        "otp" => Method::Otp,
        _ => Method::Other,
    });
    read.collect()
}
