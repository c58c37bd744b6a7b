//! Rules of input: each returns the cleaned value, or says what is wrong.

use tiffin_chassis::refusals;
use tiffin_events::Coordinates;

use crate::common_passwords;

refusals! {
    /// A value of a form that breaks its rule.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadInput {
        Email = 422, "user.email-invalid", "Please enter a valid email address.";
        NoName = 422, "user.name-required", "Please enter a name.";
        NameTooLong = 422, "user.name-too-long", "A name has at most 100 letters.";
        Name = 422, "user.name-invalid", "A name is made of letters and spaces.";
        Phone = 422, "user.phone-invalid", "A phone number has 6 to 15 digits.";
        NoAddress = 422, "user.address-required", "Please enter an address.";
        AddressTooLong = 422, "user.address-too-long", "An address has at most 300 characters.";
        NoImage = 422, "user.picture-required", "Please upload profile picture";
        Image = 422, "user.picture-invalid", "A picture is given by its URL.";
        Password =
            422, "user.password-rule",
            "Password must be at least 8 characters long and include at least one uppercase letter and one symbol.";
        PasswordTooLong = 422, "user.password-too-long", "A password has at most 128 characters.";
        PasswordTooCommon =
            422, "user.password-too-common",
            "This password is too common. Please choose another one.";
        HalfAPlace = 422, "user.place-incomplete", "lat and lng belong together.";
        NoPlace =
            422, "user.place-out-of-range", "lat must be from -90 to 90 and lng from -180 to 180.";
    }
}

refusals! {
    /// A text that can't be sent.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadText {
        NoQuestion = 422, "user.inquiry-required", "Please enter your message.";
        NoMessage = 422, "user.inquiry-empty", "Message cannot be empty.";
        NoResponse = 422, "user.response-empty", "Response cannot be empty.";
        TooLong = 422, "user.text-too-long", "Please use at most 2,000 characters.";
    }
}

/// More than this is no password but an attempt to keep the machine busy.
const LONGEST_PASSWORD: usize = 128;

/// An e-mail address, in lower case: two spellings of one address are one account.
pub fn email(text: &str) -> Result<String, BadInput> {
    let email = text.trim().to_ascii_lowercase();
    if tiffin_chassis::mail::is_address(&email) {
        Ok(email)
    } else {
        Err(BadInput::Email)
    }
}

/// A first or last name: letters of any script, spaces, and the marks that names need.
pub fn name(text: &str) -> Result<String, BadInput> {
    let name = text.trim();
    if !name.chars().any(char::is_alphabetic) {
        return Err(BadInput::NoName);
    }
    if name.chars().count() > 100 {
        return Err(BadInput::NameTooLong);
    }
    if name.chars().all(is_of_names) {
        Ok(name.to_owned())
    } else {
        Err(BadInput::Name)
    }
}

/// Letters, and what scripts put on, under and between them: accents, vowel killers, joiners.
fn is_of_names(c: char) -> bool {
    c.is_alphabetic()
        || matches!(c, ' ' | '\'' | '’' | '-' | '.' | '\u{200c}' | '\u{200d}')
        || matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{652}' | '\u{e47}'..='\u{e4e}')
        || matches!(
            c,
            '\u{93c}'
                | '\u{94d}'
                | '\u{9bc}'
                | '\u{9cd}'
                | '\u{a3c}'
                | '\u{a4d}'
                | '\u{abc}'
                | '\u{acd}'
        )
        || matches!(
            c,
            '\u{b3c}'
                | '\u{b4d}'
                | '\u{bcd}'
                | '\u{c4d}'
                | '\u{cbc}'
                | '\u{ccd}'
                | '\u{d4d}'
                | '\u{dca}'
        )
        || matches!(c, '\u{1039}' | '\u{103a}')
}

/// A phone number: 6 to 15 digits (ITU-T E.164 allows 15), with an optional leading `+`.
pub fn phone(text: &str) -> Result<String, BadInput> {
    let phone = text.trim();
    let digits = phone.strip_prefix('+').unwrap_or(phone);
    if (6..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(phone.to_owned())
    } else {
        Err(BadInput::Phone)
    }
}

/// A postal address.
pub fn address(text: &str) -> Result<String, BadInput> {
    let address = text.trim();
    match address.chars().count() {
        0 => Err(BadInput::NoAddress),
        1..=300 => Ok(address.to_owned()),
        _ => Err(BadInput::AddressTooLong),
    }
}

/// Free text for people; `empty` is the refusal of a missing one.
pub fn writing(text: &str, empty: BadText) -> Result<String, BadText> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err(empty),
        1..=2000 => Ok(text.to_owned()),
        _ => Err(BadText::TooLong),
    }
}

/// A picture's URL: of the web or a path on this host, so that nothing else can be smuggled into a page.
pub fn image(text: &str) -> Result<String, BadInput> {
    let image = text.trim();
    if image.is_empty() {
        return Err(BadInput::NoImage);
    }
    let on_this_host = image.starts_with('/') && !image.starts_with("//") && !image.contains('\\');
    let on_the_web = image.starts_with("https://") || image.starts_with("http://");
    let plain = image.len() <= 2048 && !image.chars().any(|c| c.is_whitespace() || c.is_control());
    if plain && (on_this_host || on_the_web) {
        Ok(image.to_owned())
    } else {
        Err(BadInput::Image)
    }
}

/// A password: long enough, mixed enough, and not one that attackers try first.
pub fn password(text: &str) -> Result<String, BadInput> {
    let length = text.chars().count();
    let has_upper = text.chars().any(char::is_uppercase);
    let has_symbol = text
        .chars()
        .any(|c| !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control());
    if length < 8 || !has_upper || !has_symbol {
        return Err(BadInput::Password);
    }
    if length > LONGEST_PASSWORD {
        return Err(BadInput::PasswordTooLong);
    }
    if common_passwords::is_common(text) {
        return Err(BadInput::PasswordTooCommon);
    }
    Ok(text.to_owned())
}

/// A delivery place: both coordinates, or neither.
pub fn place(lat: Option<f64>, lng: Option<f64>) -> Result<Option<Coordinates>, BadInput> {
    match (lat, lng) {
        (None, None) => Ok(None),
        (Some(lat), Some(lng)) => Coordinates::new(lat, lng)
            .map(Some)
            .map_err(|_| BadInput::NoPlace),
        _ => Err(BadInput::HalfAPlace),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{BadInput, email, image, name, password, phone, place};

    #[test]
    fn names_of_any_script_are_taken_and_anything_else_refused() {
        for good in [
            "Nimal",
            " Anne-Marie ",
            "O'Brien",
            "Mary Jane",
            "J. R.",
            "නිමල්",
            "ශ්‍රී",
            "நிமல்",
            "Zoë",
        ] {
            assert_eq!(name(good).as_deref(), Ok(good.trim()), "{good}");
        }
        for bad in [
            "",
            "  ",
            "R2D2",
            "<b>",
            "a@b",
            "-",
            "Ni\nmal",
            "😀",
            &"a".repeat(101),
        ] {
            assert!(name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn phones_are_digits_with_an_optional_plus() {
        for good in ["0771234567", "+94771234567"] {
            assert_eq!(phone(good).as_deref(), Ok(good));
        }
        for bad in [
            "",
            "077-123",
            "+",
            "077 1234567",
            "12345",
            "1234567890123456",
            "٠٧٧١٢٣٤٥٦٧",
        ] {
            assert!(phone(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn one_address_has_one_spelling() {
        assert_eq!(
            email(" Nimal@Tiffin.Local ").as_deref(),
            Ok("nimal@tiffin.local")
        );
        for bad in [
            "",
            "nimal",
            "@tiffin.local",
            "a b@tiffin.local",
            "nimäl@tiffin.local",
        ] {
            assert!(email(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn pictures_are_web_addresses() {
        assert!(image("https://tiffin.local/a.png").is_ok() && image("/storage/a.png").is_ok());
        for bad in [
            "javascript:alert(1)",
            "//evil.example/a.png",
            "/\\evil.example/a.png",
            "data:text/html,x",
            "/a b.png",
        ] {
            assert!(image(bad).is_err(), "{bad}");
        }
        assert_eq!(image("").unwrap_err(), BadInput::NoImage);
    }

    #[test]
    fn a_password_keeps_the_rule_and_is_not_everybodys() {
        for good in ["Tiffin@2026", "correct Horse, battery", "Ünïcode-pass"] {
            assert_eq!(password(good).as_deref(), Ok(good));
        }
        for bad in ["Short@1", "nouppercase@1", "NoSymbolHere1", "With Space1"] {
            assert_eq!(password(bad).unwrap_err(), BadInput::Password, "{bad}");
        }
        for common in ["P@ssw0rd", "Password@123", "Welcome!1", "Qwerty#2024"] {
            assert_eq!(
                password(common).unwrap_err(),
                BadInput::PasswordTooCommon,
                "{common}"
            );
        }
        assert!(password(&format!("A@{}", "x".repeat(127))).is_err());
    }

    proptest! {
        #[test]
        fn whatever_is_typed_a_name_holds_letters_and_the_marks_of_names_alone(text in ".{0,120}") {
            if let Ok(name) = name(&text) {
                prop_assert_eq!(&name, text.trim());
                prop_assert!(name.chars().any(char::is_alphabetic));
                prop_assert!(name.chars().count() <= 100);
                let forbidden = |c: char| c.is_control() || c.is_numeric() || "<>&@\"/\\;:{}[]()=_".contains(c);
                prop_assert!(!name.chars().any(forbidden), "{}", name);
                prop_assert_eq!(super::name(&name), Ok(name.clone()));
            }
        }

        #[test]
        fn letters_and_spaces_are_always_a_name(text in "\\p{Alphabetic}[\\p{Alphabetic} ]{0,80}") {
            prop_assert_eq!(name(&text), Ok(text.trim().to_owned()));
        }

        #[test]
        fn whatever_is_typed_a_phone_is_digits(text in "[ +0-9()a-z٠-٩-]{0,20}") {
            let digits = text.trim().strip_prefix('+').unwrap_or(text.trim());
            let good = (6..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
            prop_assert_eq!(phone(&text).is_ok(), good);
        }

        #[test]
        fn a_phone_of_six_to_fifteen_digits_is_taken_as_it_is(text in "\\+?[0-9]{6,15}") {
            prop_assert_eq!(phone(&text), Ok(text.clone()));
        }
    }

    #[test]
    fn half_a_place_is_none() {
        assert!(place(Some(6.9), None).is_err() && place(Some(91.0), Some(0.0)).is_err());
        assert!(
            place(None, None).unwrap().is_none() && place(Some(6.9), Some(79.8)).unwrap().is_some()
        );
    }
}
