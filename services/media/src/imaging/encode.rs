//! Encoding, and resizing before it.

use bytes::Bytes;
use image::{
    DynamicImage,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
    imageops,
};

use crate::picture::{Format, Rendition};

/// The quality of an encoding.
#[derive(Clone, Copy, Debug)]
pub enum Quality {
    /// A picture that renditions are made from.
    Original {
        lossless: bool,
    },
    Rendition,
}

/// Renders a picture.
pub fn render(image: DynamicImage, rendition: Rendition) -> Result<Bytes, String> {
    let Rendition {
        width,
        height,
        format,
    } = rendition;
    let image = if (image.width(), image.height()) == (width, height) {
        image
    } else {
        image.resize_exact(width, height, imageops::FilterType::CatmullRom)
    };
    encode(&image, format, Quality::Rendition)
}

/// Encodes a picture of red, green, blue and perhaps alpha, 8 bits each. A GIF becomes a PNG.
pub fn encode(image: &DynamicImage, format: Format, quality: Quality) -> Result<Bytes, String> {
    match format {
        Format::WebP => webp(image, quality),
        Format::Jpeg => {
            let percent = match quality {
                Quality::Original { .. } => 90,
                Quality::Rendition => 82,
            };
            let mut bytes = Vec::new();
            image
                .write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, percent))
                .map_err(|error| error.to_string())?;
            Ok(bytes.into())
        }
        Format::Png | Format::Gif => {
            let mut bytes = Vec::new();
            let encoder = PngEncoder::new_with_quality(
                &mut bytes,
                CompressionType::Default,
                FilterType::Adaptive,
            );
            image
                .write_with_encoder(encoder)
                .map_err(|error| error.to_string())?;
            Ok(bytes.into())
        }
    }
}

fn webp(image: &DynamicImage, quality: Quality) -> Result<Bytes, String> {
    let (pixels, width, height) = (image.as_bytes(), image.width(), image.height());
    let encoder = if image.color().has_alpha() {
        webp::Encoder::from_rgba(pixels, width, height)
    } else {
        webp::Encoder::from_rgb(pixels, width, height)
    };
    let (lossless, percent) = match quality {
        Quality::Original { lossless } => (lossless, 90.0),
        Quality::Rendition => (false, 80.0),
    };
    let bytes = encoder
        .encode_simple(lossless, percent)
        .map_err(|error| format!("{error:?}"))?;
    Ok(Bytes::copy_from_slice(&bytes))
}
