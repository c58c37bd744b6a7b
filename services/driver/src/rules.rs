//! Rules of input: each returns the cleaned value, or says what is wrong.

use tiffin_chassis::refusals;

const MAX_NIC_LENGTH: usize = 20;

refusals! {
    /// A value of a form that breaks its rule.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadInput {
        NoNic = 422, "driver.nic-required", "Please enter your NIC.";
        Nic = 422, "driver.nic-invalid", "The NIC has at most 20 letters and digits.";
        NoVehicle = 422, "driver.vehicle-required", "Please choose a vehicle type.";
    }
}

/// The number of a national identity card. Countries differ, so letters, digits, `-` and `/` will do.
pub fn nic(text: &str) -> Result<String, BadInput> {
    let nic = text.trim().to_uppercase();
    match nic.chars().count() {
        0 => Err(BadInput::NoNic),
        1..=MAX_NIC_LENGTH
            if nic
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '/')) =>
        {
            Ok(nic)
        }
        _ => Err(BadInput::Nic),
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
