use time::macros::datetime;

use super::*;

#[test]
fn a_number_has_sixteen_digits_and_spaces_are_ignored() {
    for good in [
        "4242424242424242",
        "4242 4242 4242 4242",
        " 42424242 42424242 ",
    ] {
        assert_eq!(number(good).as_deref(), Ok("4242424242424242"), "{good}");
    }
    for bad in [
        "",
        "424242424242424",
        "42424242424242424",
        "4242-4242-4242-4242",
        "424242424242424a",
        "４２４２４２４２４２４２４２４２",
    ] {
        assert_eq!(number(bad), Err(BadCard::Number), "{bad}");
    }
}

#[test]
fn an_expiry_is_a_month_that_is_not_over() {
    let now = datetime!(2026-11-30 23:59:59 UTC);
    for (text, year, month) in [("11/26", 2026, 11), ("12/26", 2026, 12), ("01/27", 2027, 1)] {
        assert_eq!(expiry(text, now), Ok(Expiry { year, month }), "{text}");
    }
    for bad in [
        "10/26", "12/25", "00/27", "13/27", "1/27", "01/2027", "0127", "ab/cd", "-1/27", "+1/27",
        "",
    ] {
        assert_eq!(expiry(bad, now), Err(BadCard::Expiry), "{bad}");
    }
}

#[test]
fn a_security_code_has_three_digits() {
    assert_eq!(cvv("012").as_deref(), Ok("012"));
    for bad in ["", "12", "1234", "12a", "+12"] {
        assert_eq!(cvv(bad), Err(BadCard::Cvv), "{bad}");
    }
}

#[test]
fn the_first_digits_name_the_brand() {
    for (number, name) in [
        ("4242424242424242", "Visa"),
        ("5555555555554444", "Mastercard"),
        ("2223003122003222", "Mastercard"),
        ("2220990000000000", "Card"),
        ("6011111111111117", "Discover"),
        ("6445000000000000", "Discover"),
        ("3566002020360505", "JCB"),
        ("3056930009020004", "Diners Club"),
        ("6200000000000005", "UnionPay"),
        ("9999999999999999", "Card"),
    ] {
        assert_eq!(brand(number), name, "{number}");
    }
}

#[test]
fn a_card_shows_its_face_alone() {
    let expiry = Expiry {
        year: 2030,
        month: 1,
    };
    let card = Card::new("4242424242421234".to_owned(), expiry, "987".to_owned());
    let shown = format!("{card:?}");
    assert!(shown.contains("Visa") && shown.contains("1234"), "{shown}");
    assert!(!shown.contains("4242") && !shown.contains("987"), "{shown}");
}
