use image::{DynamicImage, RgbImage, RgbaImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// The picture with 8 bits a channel, red, green, blue and alpha where it has one, in sRGB. Phones
/// photograph in wider colour spaces, which only the profile tells; the profile itself is not kept.
pub fn to_srgb(image: DynamicImage, profile: Option<&[u8]>) -> DynamicImage {
    let image = if image.color().has_alpha() {
        DynamicImage::ImageRgba8(image.into_rgba8())
    } else {
        DynamicImage::ImageRgb8(image.into_rgb8())
    };
    match profile.and_then(|profile| convert(&image, profile)) {
        Some(converted) => converted,
        None => image,
    }
}

/// `None` for a profile that can't be read or is not one of red, green and blue: the colours are then
/// taken as they are.
fn convert(image: &DynamicImage, profile: &[u8]) -> Option<DynamicImage> {
    let profile = ColorProfile::new_from_slice(profile).ok()?;
    if profile.color_space != DataColorSpace::Rgb {
        return None;
    }
    let layout = if image.color().has_alpha() {
        Layout::Rgba
    } else {
        Layout::Rgb
    };
    let srgb = ColorProfile::new_srgb();
    let transform = profile
        .create_transform_8bit(layout, &srgb, layout, TransformOptions::default())
        .ok()?;
    let mut pixels = vec![0; image.as_bytes().len()];
    transform.transform(image.as_bytes(), &mut pixels).ok()?;
    let (width, height) = (image.width(), image.height());
    if image.color().has_alpha() {
        RgbaImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgba8)
    } else {
        RgbImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgb8)
    }
}
