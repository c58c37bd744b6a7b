//! Message encryption for web push: RFC 8291 on top of RFC 8188, in one record.

use aws_lc_rs::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{self, ECDH_P256, PrivateKey, UnparsedPublicKey},
    error::Unspecified,
    hkdf::{self, HKDF_SHA256, KeyType, Salt},
    rand,
};

/// The bytes of an uncompressed point of P-256.
pub const KEY_LENGTH: usize = 65;
/// The bytes of a browser's secret.
pub const AUTH_LENGTH: usize = 16;
const SALT_LENGTH: usize = 16;
/// The size of a record, which every push service accepts.
const RECORD_SIZE: u32 = 4096;
/// The delimiter of the last record.
const LAST_RECORD: u8 = 2;

/// Encrypts for the browser with this public key and secret, with a new key and salt for each message.
pub fn encrypt(plaintext: &[u8], browser: &[u8], auth: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let mut salt = [0; SALT_LENGTH];
    rand::fill(&mut salt)?;
    let ephemeral = PrivateKey::generate(&ECDH_P256)?;
    encrypt_with(plaintext, browser, auth, &ephemeral, salt)
}

fn encrypt_with(
    plaintext: &[u8],
    browser: &[u8],
    auth: &[u8],
    ephemeral: &PrivateKey,
    salt: [u8; SALT_LENGTH],
) -> Result<Vec<u8>, Unspecified> {
    let ours = ephemeral.compute_public_key()?;
    let theirs = UnparsedPublicKey::new(&ECDH_P256, browser);
    // RFC 8291, section 3.4.
    let input = agreement::agree(ephemeral, theirs, Unspecified, |secret| {
        let info = [b"WebPush: info\0", browser, ours.as_ref()];
        derive::<32>(auth, secret, &info)
    })?;
    // RFC 8188, sections 2.2 and 2.3.
    let key: [u8; 16] = derive(&salt, &input, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce: [u8; 12] = derive(&salt, &input, &[b"Content-Encoding: nonce\0"])?;
    let mut record = [plaintext, &[LAST_RECORD]].concat();
    LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?).seal_in_place_append_tag(
        Nonce::assume_unique_for_key(nonce),
        Aad::empty(),
        &mut record,
    )?;
    let length = u8::try_from(ours.as_ref().len()).map_err(|_| Unspecified)?;
    Ok([
        &salt[..],
        &RECORD_SIZE.to_be_bytes(),
        &[length],
        ours.as_ref(),
        &record,
    ]
    .concat())
}

fn derive<const N: usize>(
    salt: &[u8],
    secret: &[u8],
    info: &[&[u8]],
) -> Result<[u8; N], Unspecified> {
    struct Length(usize);
    impl KeyType for Length {
        fn len(&self) -> usize {
            self.0
        }
    }
    let mut key = [0; N];
    let extracted: hkdf::Prk = Salt::new(HKDF_SHA256, salt).extract(secret);
    extracted.expand(info, Length(N))?.fill(&mut key)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    /// RFC 8291, Appendix A.
    #[test]
    fn the_example_of_the_standard_comes_out_as_it_says() {
        let ephemeral = bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
        let browser = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
        let message = encrypt_with(
            b"When I grow up, I want to be a watermelon",
            &bytes(browser),
            &bytes("BTBZMqHH6r4Tts7J_aSIgg"),
            &PrivateKey::from_private_key(&ECDH_P256, &ephemeral).unwrap(),
            bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap(),
        );
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(URL_SAFE_NO_PAD.encode(message.unwrap()), expected);
    }

    #[test]
    fn no_two_messages_are_alike() {
        let browser = PrivateKey::generate(&ECDH_P256).unwrap();
        let browser = browser.compute_public_key().unwrap();
        let message = || encrypt(b"tiffin", browser.as_ref(), &[7; AUTH_LENGTH]).unwrap();
        assert_ne!(message(), message());
    }

    #[test]
    fn a_key_that_is_no_point_is_refused() {
        assert!(encrypt(b"tiffin", &[4; KEY_LENGTH], &[7; AUTH_LENGTH]).is_err());
        assert!(encrypt(b"tiffin", &[], &[7; AUTH_LENGTH]).is_err());
    }
}
