use std::str::FromStr;

use tiffin_chassis::{BehindProxy, Env, env::EnvError};
use tiffin_events::Role;

/// Sign-ups from one network in an hour, unless it is set: an office may sign up before lunch, a
/// machine that makes accounts has to wait.
const SIGN_UPS: i32 = 60;

/// The rule of who must have a second factor (ASVS 6.3.3). Every account may have one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AdminSecondFactor {
    #[default]
    Required,
    Optional,
}

impl AdminSecondFactor {
    /// True if an account of this role and right must have one.
    pub fn asks(self, role: Role, operator: bool) -> bool {
        self == Self::Required && (role == Role::Admin || operator)
    }
}

impl FromStr for AdminSecondFactor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "required" => Ok(Self::Required),
            "optional" => Ok(Self::Optional),
            _ => Err("it is required or optional"),
        }
    }
}

/// The service's configuration from the environment.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// True if browsers reach this service by https, so that the cookie may require it.
    pub https: bool,
    /// The address of the site, without a slash at its end; links in mails begin with it. It is never taken
    /// from a request's host, which its sender chooses (OWASP Forgot Password Cheat Sheet).
    pub site: String,
    /// The key with which other services have accounts made. Without it they can't.
    pub service_key: Option<String>,
    pub behind_proxy: BehindProxy,
    /// The number of accounts that one network may open in an hour.
    pub sign_ups: i32,
    pub admin_second_factor: AdminSecondFactor,
}

impl Config {
    /// `TIFFIN_PUBLIC_URL`, `TIFFIN_SERVICE_KEY`, `TIFFIN_BEHIND_PROXY` (`true` or `false`),
    /// `TIFFIN_SIGN_UPS`, `TIFFIN_ADMIN_SECOND_FACTOR` (`required` or `optional`).
    pub fn read(env: &Env) -> Result<Self, EnvError> {
        Ok(Self {
            https: env
                .get("TIFFIN_PUBLIC_URL")
                .is_some_and(|url| url.starts_with("https://")),
            site: env
                .get("TIFFIN_PUBLIC_URL")
                .unwrap_or_default()
                .trim_end_matches('/')
                .to_owned(),
            service_key: env.get("TIFFIN_SERVICE_KEY").map(str::to_owned),
            behind_proxy: BehindProxy::read(env)?,
            sign_ups: env.parse("TIFFIN_SIGN_UPS")?.unwrap_or(SIGN_UPS),
            admin_second_factor: env.parse("TIFFIN_ADMIN_SECOND_FACTOR")?.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn administrators_and_operators_must_have_a_second_factor_unless_it_is_said_otherwise() {
        let read = |pairs: &[(&str, &str)]| {
            let env = Env::from_pairs(pairs.iter().copied());
            Config::read(&env).map(|config| config.admin_second_factor)
        };
        let policy = read(&[]).unwrap();
        assert_eq!(policy, AdminSecondFactor::Required);
        assert!(policy.asks(Role::Admin, false) && policy.asks(Role::Restaurant, true));
        assert!(!policy.asks(Role::Customer, false));
        let optional = read(&[("TIFFIN_ADMIN_SECOND_FACTOR", "optional")]).unwrap();
        assert!(!optional.asks(Role::Admin, true));
        assert!(read(&[("TIFFIN_ADMIN_SECOND_FACTOR", "no")]).is_err());
    }
}
