//! Rules of input: each returns the cleaned value, or says what is wrong.

use tiffin_chassis::refusals;
use tiffin_events::{Coordinates, Currency, Money};

/// The highest price without its decimals: one above ten million is a typing error.
const MAX_PRICE: i64 = 10_000_000;
const MAX_IMAGES: usize = 10;
const MAX_IMAGE_URL_LENGTH: usize = 2_048;

refusals! {
    /// A value of a form that breaks its rule.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadInput {
        NoText { name: &'static str } = 422, "restaurant.text-required", "Please enter the {name}.";
        TextTooLong { name: &'static str, count: usize } =
            422, "restaurant.text-too-long", "The {name} must have at most {count} characters.";
        Phone =
            422, "restaurant.phone-invalid",
            "The phone must be 6 to 15 digits, with an optional + first.";
        TooManyImages = 422, "restaurant.too-many-images", "At most 10 images can be shown.";
        NoImage = 422, "restaurant.image-required", "Please upload at least one image.";
        Image = 422, "restaurant.image-invalid", "Each image must be the URL of a picture.";
        NoPrice = 422, "restaurant.price-required", "Please enter the price.";
        PriceTooLow = 422, "restaurant.price-too-low", "The price must be more than zero.";
        PriceTooHigh = 422, "restaurant.price-too-high", "The price is too high.";
        Rating = 422, "restaurant.rating-out-of-range", "The rating must be from 0 to 5.";
        HalfAPlace = 422, "restaurant.place-incomplete", "lat and lng belong together.";
        NoPlace =
            422, "restaurant.place-out-of-range",
            "lat must be from -90 to 90 and lng from -180 to 180.";
        AnswerMinutes =
            422, "restaurant.answer-minutes-out-of-range",
            "The minutes to answer in must be from 3 to 60.";
        PauseLength =
            422, "restaurant.pause-out-of-range", "A pause has from 5 minutes to 24 hours.";
        BusyMinutes =
            422, "restaurant.busy-out-of-range", "A busy restaurant needs at most 60 minutes more.";
        NoCategory = 422, "restaurant.category-required", "Please choose a category.";
        NoRestaurant = 422, "restaurant.restaurant-required", "Please choose a restaurant.";
    }
}

type Checked<T> = Result<T, BadInput>;

/// A text of `1..=longest` characters.
pub fn text(name: &'static str, longest: usize) -> impl Fn(String) -> Checked<String> {
    move |text| {
        let text = text.trim();
        match text.chars().count() {
            0 => Err(BadInput::NoText { name }),
            length if length > longest => Err(BadInput::TextTooLong {
                name,
                count: longest,
            }),
            _ => Ok(text.to_owned()),
        }
    }
}

/// A text that may be empty.
pub fn optional_text(name: &'static str, longest: usize) -> impl Fn(String) -> Checked<String> {
    move |value| {
        if value.trim().is_empty() {
            Ok(String::new())
        } else {
            text(name, longest)(value)
        }
    }
}

/// Digits, with an optional leading `+`.
pub fn phone(phone: &str) -> Checked<String> {
    let phone = phone.trim();
    let digits = phone.strip_prefix('+').unwrap_or(phone);
    let valid =
        (6..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if valid {
        Ok(phone.to_owned())
    } else {
        Err(BadInput::Phone)
    }
}

/// Picture URLs, any number up to ten.
pub fn images(images: Vec<String>) -> Checked<Vec<String>> {
    if images.len() > MAX_IMAGES {
        return Err(BadInput::TooManyImages);
    }
    if images.iter().all(|image| is_url(image)) {
        Ok(images)
    } else {
        Err(BadInput::Image)
    }
}

/// Picture URLs, at least one.
pub fn required_images(images: Vec<String>) -> Checked<Vec<String>> {
    if images.is_empty() {
        Err(BadInput::NoImage)
    } else {
        self::images(images)
    }
}

/// A picture's URL: on the web, or on the same host. Nothing that a browser would run.
fn is_url(text: &str) -> bool {
    let on_this_host = text.starts_with('/') && !text.starts_with("//") && !text.contains('\\');
    let on_the_web = text.starts_with("https://") || text.starts_with("http://");
    text.len() <= MAX_IMAGE_URL_LENGTH
        && (on_this_host || on_the_web)
        && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

pub fn price(price: Money) -> Checked<Money> {
    price_in(Currency::of_process(), price)
}

fn price_in(currency: Currency, price: Money) -> Checked<Money> {
    if price <= Money::ZERO {
        Err(BadInput::PriceTooLow)
    } else if price.cents() > MAX_PRICE * currency.scale() {
        Err(BadInput::PriceTooHigh)
    } else {
        Ok(price)
    }
}

/// Stars, 0 to 5.
pub fn rating(stars: i64) -> Checked<i16> {
    i16::try_from(stars)
        .ok()
        .filter(|stars| (0..=5).contains(stars))
        .ok_or(BadInput::Rating)
}

/// The minutes in which a restaurant answers an order.
pub fn answer_minutes(minutes: i32) -> Checked<i32> {
    if (3..=60).contains(&minutes) {
        Ok(minutes)
    } else {
        Err(BadInput::AnswerMinutes)
    }
}

/// Its place: both coordinates or neither; the wire uses 0,0 for unknown.
pub fn place((lat, lng): (Option<f64>, Option<f64>)) -> Checked<Option<Coordinates>> {
    match (lat, lng) {
        (None, None) => Ok(None),
        (Some(lat), Some(lng)) => Coordinates::new(lat, lng)
            .map(|place| Some(place).filter(|place| place.is_known()))
            .map_err(|_| BadInput::NoPlace),
        _ => Err(BadInput::HalfAPlace),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_trimmed_and_bounded() {
        let rule = text("name", 5);
        assert_eq!(rule("  Kottu ".to_owned()).unwrap(), "Kottu");
        assert_eq!(
            rule("  ".to_owned()).unwrap_err(),
            BadInput::NoText { name: "name" }
        );
        assert_eq!(
            rule("Kottus".to_owned()).unwrap_err(),
            BadInput::TextTooLong {
                name: "name",
                count: 5
            }
        );
        assert_eq!(optional_text("description", 5)(" ".to_owned()).unwrap(), "");
    }

    #[test]
    fn phones_are_digits() {
        for (phone, good) in [
            ("0112345678", true),
            ("+94112345678", true),
            ("12345", false),
            ("011-234", false),
            ("١٢٣٤٥٦٧", false),
        ] {
            assert_eq!(super::phone(phone).is_ok(), good, "{phone}");
        }
    }

    #[test]
    fn an_image_is_a_url_that_shows_a_picture_and_runs_nothing() {
        for (image, good) in [
            ("/storage/v1/object/public/images/1-a.webp", true),
            ("https://pictures.example/a.webp", true),
            ("//elsewhere.example/a.webp", false),
            ("/\\elsewhere.example/a.webp", false),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("https://pictures.example/a b.webp", false),
        ] {
            assert_eq!(images(vec![image.to_owned()]).is_ok(), good, "{image}");
        }
        assert!(required_images(vec![]).is_err());
        assert!(images(vec!["/a".to_owned(); 11]).is_err());
    }

    #[test]
    fn prices_are_above_zero_and_below_absurd() {
        for (code, most) in [
            ("LKR", 1_000_000_000),
            ("JPY", 10_000_000),
            ("KWD", 10_000_000_000),
        ] {
            let currency = code.parse().unwrap();
            for (cents, good) in [
                (-1, false),
                (0, false),
                (1, true),
                (most, true),
                (most + 1, false),
            ] {
                let checked = price_in(currency, Money::from_cents(cents));
                assert_eq!(checked.is_ok(), good, "{code} {cents}");
            }
        }
    }

    #[test]
    fn a_rating_is_nought_to_five_stars() {
        for (stars, good) in [
            (-1, false),
            (0, true),
            (5, true),
            (6, false),
            (i64::MAX, false),
        ] {
            assert_eq!(rating(stars).is_ok(), good, "{stars}");
        }
    }

    #[test]
    fn an_answer_takes_three_minutes_to_an_hour() {
        for (minutes, good) in [(2, false), (3, true), (60, true), (61, false)] {
            assert_eq!(answer_minutes(minutes).is_ok(), good, "{minutes}");
        }
    }

    #[test]
    fn a_place_has_both_coordinates_or_neither() {
        assert_eq!(place((None, None)), Ok(None));
        assert_eq!(place((Some(0.0), Some(0.0))), Ok(None));
        assert!(place((Some(6.9), Some(79.8))).unwrap().is_some());
        assert!(place((Some(6.9), None)).is_err());
        assert!(place((Some(96.9), Some(79.8))).is_err());
    }
}
