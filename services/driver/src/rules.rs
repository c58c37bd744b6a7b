//! Rules of input: each returns the cleaned value, or a sentence that says what is wrong.

const LONGEST_NIC: usize = 20;

/// The number of a national identity card. Countries differ, so letters, digits, `-` and `/` will do.
pub fn nic(text: &str) -> Result<String, String> {
    let nic = text.trim().to_uppercase();
    match nic.chars().count() {
        0 => Err("Please enter your NIC.".to_owned()),
        1..=LONGEST_NIC
            if nic
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '/')) =>
        {
            Ok(nic)
        }
        _ => Err(format!(
            "The NIC has at most {LONGEST_NIC} letters and digits."
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::nic;

    #[test]
    fn identity_numbers_are_letters_and_digits() {
        assert_eq!(nic(" 901234567v ").unwrap(), "901234567V");
        assert_eq!(nic("199012345678").unwrap(), "199012345678");
        for bad in ["", " ", "90 1234567", "<script>", "123456789012345678901"] {
            assert!(nic(bad).is_err(), "{bad}");
        }
    }
}
