//! Checks of PNG data that the decoder does not make.

/// The signature before the first chunk.
const SIGNATURE_LENGTH: usize = 8;
/// The bytes of a chunk beside its data: length, name and checksum.
const CHUNK_OVERHEAD: usize = 12;

/// True if each palette consists of whole colours. A length that is no multiple of three is an error (PNG
/// specification, 3rd edition, section 11.2.2) at which the decoder panics.
pub fn is_valid(bytes: &[u8]) -> bool {
    let mut rest = bytes.get(SIGNATURE_LENGTH..).unwrap_or_default();
    while let Some((head, _)) = rest.split_first_chunk::<8>() {
        let [l0, l1, l2, l3, name @ ..] = *head;
        let length = u32::from_be_bytes([l0, l1, l2, l3]) as usize;
        if name == *b"PLTE" && !length.is_multiple_of(3) {
            return false;
        }
        rest = rest
            .get(length.saturating_add(CHUNK_OVERHEAD)..)
            .unwrap_or_default();
    }
    true
}
