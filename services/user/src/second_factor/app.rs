//! The secret of an authenticator app, and its codes.

use std::fmt::Write;

use qrcode::{Color, EcLevel, QrCode};
use tiffin_events::UserId;
use time::OffsetDateTime;
use totp_rs::{Algorithm, Builder, Totp};

use crate::{Error, seal::Seal};

const ISSUER: &str = "Tiffin";
const DIGITS: u8 = 6;
/// Seconds.
const STEP: u64 = 30;
/// Steps before and after this one whose codes are taken (RFC 6238, section 5.2).
const SKEW: u16 = 1;
/// The quiet zone around a QR code, in modules (ISO/IEC 18004).
const QUIET_ZONE: usize = 4;

/// The secret that an authenticator app and this service share: 160 bits, as RFC 4226, section 4, recommends.
pub(crate) struct AppSecret([u8; 20]);

/// A QR code to draw.
pub(crate) struct QrImage {
    /// Its width and height in modules, including the quiet zone.
    pub size: usize,
    /// The dark modules, as the `d` of an SVG path: one unit a module.
    pub path: String,
}

/// True if it has the form of an app's code and not of a recovery code.
pub(super) fn is_code(text: &str) -> bool {
    text.len() == usize::from(DIGITS) && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl AppSecret {
    pub fn new() -> Self {
        Self(rand::random())
    }

    /// As it is stored.
    pub fn seal(&self, seal: &Seal, id: UserId) -> Result<Vec<u8>, Error> {
        Ok(seal.seal(&purpose(id), &self.0)?)
    }

    pub fn open(seal: &Seal, id: UserId, sealed: &[u8]) -> Result<Self, Error> {
        let bytes = seal.open(&purpose(id), sealed)?;
        let bytes = bytes.try_into().map_err(|_| {
            Error::Unreadable("a second factor's secret has another length".to_owned())
        })?;
        Ok(Self(bytes))
    }

    /// The secret in base32, for typing it.
    pub fn base32(&self) -> Result<String, Error> {
        Ok(self.totp("")?.secret().to_base32())
    }

    /// The content of the QR code: `otpauth://totp/…`.
    pub fn uri(&self, email: &str) -> Result<String, Error> {
        self.totp(email)?
            .to_url()
            .map_err(|error| Error::Crypto(error.to_string()))
    }

    /// The step whose code this is, if it is one of now.
    pub fn step_of(&self, code: &str, now: OffsetDateTime) -> Option<i64> {
        let seconds = u64::try_from(now.unix_timestamp()).ok()?;
        let step = self.totp("").ok()?.check(code, seconds)?;
        i64::try_from(step).ok()
    }

    fn totp(&self, email: &str) -> Result<Totp, Error> {
        // A label may hold no colon.
        let account = email.replace(':', "");
        let builder = Builder::new()
            .with_algorithm(Algorithm::SHA1)
            .with_digits(DIGITS)
            .with_skew(SKEW)
            .with_step_duration(STEP)
            .with_secret(self.0)
            .with_issuer(Some(ISSUER))
            .with_account_name(account);
        builder
            .build()
            .map_err(|error| Error::Crypto(error.to_string()))
    }
}

/// A URI as a QR code.
pub(crate) fn qr_image(uri: &str) -> Result<QrImage, Error> {
    let code = QrCode::with_error_correction_level(uri, EcLevel::M)
        .map_err(|error| Error::Crypto(error.to_string()))?;
    let width = code.width();
    let mut path = String::new();
    for (at, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            let (x, y) = (at % width + QUIET_ZONE, at / width + QUIET_ZONE);
            // Writing into memory does not fail.
            let _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    Ok(QrImage {
        size: width + 2 * QUIET_ZONE,
        path,
    })
}

/// The purpose that a secret is sealed for.
pub(crate) fn purpose(id: UserId) -> String {
    format!("second_factors/{id}")
}

#[cfg(test)]
mod tests {
    use tiffin_chassis::Env;
    use time::Duration;
    use uuid::Uuid;

    use super::*;

    /// The key of RFC 6238, appendix B.
    const RFC: &[u8; 20] = b"12345678901234567890";

    fn at(seconds: i64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + Duration::seconds(seconds)
    }

    #[test]
    fn codes_are_those_of_rfc_6238() {
        let secret = AppSecret(*RFC);
        // The last six digits of the appendix's eight.
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
        ] {
            let step = seconds / 30;
            assert_eq!(secret.step_of(code, at(seconds)), Some(step), "{code}");
            assert_eq!(secret.step_of(code, at(seconds + 30)), Some(step));
            assert_eq!(secret.step_of(code, at(seconds - 30)), Some(step));
            assert_eq!(secret.step_of(code, at(seconds + 60)), None);
            assert_eq!(secret.step_of("000000", at(seconds)), None);
        }
    }

    #[test]
    fn a_secret_is_kept_sealed_for_its_account_alone() {
        let key = (
            "TIFFIN_MASTER_KEY",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        );
        let seal = Seal::read(&Env::from_pairs([key])).unwrap();
        let [one, other] = [1, 2].map(|n| UserId(Uuid::from_u128(n)));
        let sealed = AppSecret(*RFC).seal(&seal, one).unwrap();
        assert!(!sealed.windows(20).any(|window| window == RFC));
        assert_eq!(AppSecret::open(&seal, one, &sealed).unwrap().0, *RFC);
        assert!(AppSecret::open(&seal, other, &sealed).is_err());
    }

    #[test]
    fn apps_get_the_account_and_the_issuer() {
        let uri = AppSecret(*RFC).uri("a@tiffin.local").unwrap();
        let url = url::Url::parse(&uri).unwrap();
        assert_eq!((url.scheme(), url.host_str()), ("otpauth", Some("totp")));
        assert!(url.path().contains("Tiffin"), "{uri}");
        let secret = url.query_pairs().find(|(name, _)| name == "secret");
        assert_eq!(secret.unwrap().1, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        let image = qr_image(&uri).unwrap();
        assert!(image.path.starts_with("M4 4h1v1h-1z"));
        assert!(image.size > 20);
    }
}
