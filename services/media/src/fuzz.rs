//! The target of made-up bytes: an upload, from its first bytes to its renditions. `cargo xtask inputs`
//! runs for hours, the test below a second.

use crate::{imaging, picture::Rendition};

/// More pixels than this are left to other tests: each would take a second.
const MOST_PIXELS: u64 = 256 * 1024;

/// Any bytes as an upload: refused, or kept as a picture that can be read and drawn again.
///
/// # Panics
/// Where a promise does not hold.
pub fn picture(input: &[u8]) {
    match imaging::pixels(input) {
        Some(pixels) if pixels <= MOST_PIXELS => {}
        _ => return,
    }
    let Ok(kept) = imaging::reencode(input) else {
        return;
    };
    assert!(kept.width > 0 && kept.height > 0);
    let rendition = Rendition {
        width: kept.width.div_ceil(2),
        height: kept.height.div_ceil(2),
        format: kept.format,
    };
    if let Err(error) = imaging::redraw(&kept.bytes, rendition) {
        assert!(error.is_empty(), "kept and never shown: {error}");
    }
}

#[cfg(test)]
mod tests {
    use tiffin_testkit::inputs;

    #[test]
    fn any_bytes_of_an_upload_are_refused_or_kept_as_a_picture() {
        inputs::try_all("picture", super::picture);
    }
}
