//! Decoding of uploads. Nothing about an upload is trusted, neither its name nor its type nor its size.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, metadata::Orientation,
};

use super::{colour, png, webp};
use crate::{error::Refusal, limits::MAX_PIXELS, picture::Format};

/// The most memory of a decoder, in bytes: 40 megapixels of four 16-bit channels, and some.
const MAX_MEMORY: u64 = MAX_PIXELS * 8 + 32 * 1024 * 1024;

/// The format by the first bytes.
pub fn format(bytes: &[u8]) -> Result<Format, Refusal> {
    match image::guess_format(bytes) {
        Ok(ImageFormat::Jpeg) => Ok(Format::Jpeg),
        Ok(ImageFormat::Png) => Ok(Format::Png),
        Ok(ImageFormat::WebP) => Ok(Format::WebP),
        Ok(ImageFormat::Gif) => Ok(Format::Gif),
        _ => Err(Refusal::WrongKind),
    }
}

/// True if a WebP is lossless: a drawing rather than a photograph.
pub fn is_lossless(bytes: &[u8]) -> bool {
    bytes.get(12..16) == Some(b"VP8L")
}

/// Decodes the picture, or its first frame: upright, in sRGB, 8 bits a channel. The number of pixels is read from the
/// header and checked before anything is unpacked.
pub fn open(bytes: &[u8]) -> Result<(DynamicImage, Format), Refusal> {
    let format = format(bytes)?;
    let is_valid = match format {
        Format::WebP => webp::is_valid(bytes),
        Format::Png => png::is_valid(bytes),
        Format::Jpeg | Format::Gif => true,
    };
    if !is_valid {
        return Err(Refusal::Unreadable);
    }
    let codec = match format {
        Format::Jpeg => ImageFormat::Jpeg,
        Format::Png => ImageFormat::Png,
        Format::WebP => ImageFormat::WebP,
        Format::Gif => ImageFormat::Gif,
    };
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), codec);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| unreadable(&error))?;
    let (width, height) = decoder.dimensions();
    check_pixels(width, height)?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().ok().flatten();
    let image = DynamicImage::from_decoder(decoder).map_err(|error| unreadable(&error))?;
    // With 8 bits a channel, turning takes half the memory.
    let mut image = colour::to_srgb(image, profile.as_deref());
    image.apply_orientation(orientation);
    Ok((image, format))
}

pub fn check_pixels(width: u32, height: u32) -> Result<(), Refusal> {
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(Refusal::TooManyPixels);
    }
    Ok(())
}

fn unreadable(error: &ImageError) -> Refusal {
    tracing::debug!(%error, "an upload can't be read");
    match error {
        ImageError::Limits(_) => Refusal::TooManyPixels,
        _ => Refusal::Unreadable,
    }
}
