//! The fuzz target of uploads, from their first bytes to their renditions. `cargo xtask inputs`
//! runs for hours, the test below a second.

use crate::{imaging, picture::Rendition};

/// More pixels than this are left to other tests: each would take a second.
const MAX_PIXELS: u64 = 256 * 1024;

/// Any bytes as an upload: refused, or stored as a picture that can be read and rendered.
///
/// # Panics
/// Where an upload is accepted that can't be rendered.
pub fn picture(input: &[u8]) {
    match imaging::pixels(input) {
        Some(pixels) if pixels <= MAX_PIXELS => {}
        _ => return,
    }
    let Ok(stored) = imaging::reencode(input) else {
        return;
    };
    assert!(stored.width > 0 && stored.height > 0);
    let rendition = Rendition {
        width: stored.width.div_ceil(2),
        height: stored.height.div_ceil(2),
        format: stored.format,
    };
    if let Err(error) = imaging::render(&stored.bytes, rendition) {
        assert!(error.is_empty(), "stored and never shown: {error}");
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
