use std::io::Cursor;

use gif::{Encoder, ExtensionData, Frame, Repeat};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use moxcms::ColorProfile;

use super::*;
use crate::imaging::encode::Quality;

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn red(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_pixel(width, height, Rgb([200, 30, 30])).into()
}

#[test]
fn each_format_stays_what_it_is() {
    for (codec, format) in [
        (ImageFormat::Jpeg, Format::Jpeg),
        (ImageFormat::Png, Format::Png),
        (ImageFormat::WebP, Format::WebP),
        (ImageFormat::Gif, Format::Gif),
    ] {
        let developed = reencode(&encoded(&red(40, 20), codec)).unwrap();
        assert_eq!(
            (developed.format, developed.width, developed.height),
            (format, 40, 20)
        );
        let (image, again) = decode::open(&developed.bytes).unwrap();
        assert_eq!(again, format);
        let [r, g, b] = image.to_rgb8().get_pixel(20, 10).0;
        assert!(
            r.abs_diff(200) < 6 && g.abs_diff(30) < 6 && b.abs_diff(30) < 6,
            "{format:?}: {r} {g} {b}"
        );
    }
}

#[test]
fn a_lossless_drawing_stays_lossless() {
    let kept = reencode(&encoded(&red(40, 20), ImageFormat::WebP)).unwrap();
    assert!(decode::is_lossless(&kept.bytes));
    let shown = encode::encode(&red(40, 20), Format::WebP, Quality::Rendition).unwrap();
    assert!(!decode::is_lossless(&shown));
}

#[test]
fn an_animation_keeps_its_frames_and_loses_its_comments() {
    let mut encoder = Encoder::new(Vec::new(), 4, 4, &[0, 0, 0, 255, 0, 0]).unwrap();
    encoder.set_repeat(Repeat::Infinite).unwrap();
    encoder
        .write_raw_extension(gif::Extension::Comment.into(), &[b"taken at home"])
        .unwrap();
    for colour in [0, 1, 0] {
        encoder
            .write_extension(ExtensionData::new_control_ext(
                7,
                gif::DisposalMethod::Background,
                false,
                None,
            ))
            .unwrap();
        let frame = Frame {
            delay: 7,
            width: 4,
            height: 4,
            buffer: vec![colour; 16].into(),
            ..Frame::default()
        };
        encoder.write_frame(&frame).unwrap();
    }
    let bytes = encoder.into_inner().unwrap();
    assert!(contains(&bytes, b"taken at home"));
    let developed = reencode(&bytes).unwrap();
    assert!(!contains(&developed.bytes, b"taken at home"));
    let mut decoder = gif::Decoder::new(&*developed.bytes).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        frames.push((frame.delay, frame.buffer[0]));
    }
    assert_eq!(frames, [(7, 0), (7, 1), (7, 0)]);
    assert_eq!(decoder.repeat(), Repeat::Infinite);
}

#[test]
fn colours_of_a_wider_space_look_the_same_in_srgb() {
    let profile = ColorProfile::new_display_p3().encode().unwrap();
    let image = colour::to_srgb(red(2, 2), Some(&profile));
    let Rgb([r, g, b]) = *image.to_rgb8().get_pixel(0, 0);
    assert!(r > 205 && g < 28 && b < 35, "{r} {g} {b}");
    // What is no profile changes nothing.
    let image = colour::to_srgb(red(2, 2), Some(b"no profile"));
    assert_eq!(image.to_rgb8().get_pixel(0, 0).0, [200, 30, 30]);
}

#[test]
fn other_files_and_broken_pictures_have_different_errors() {
    for (bytes, refusal) in [
        (&b""[..], Refusal::WrongKind),
        (
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            Refusal::WrongKind,
        ),
        (b"<html><script>", Refusal::WrongKind),
        (b"BM\0\0\0\0\0\0\0\0\0\0\0\0\0\0", Refusal::WrongKind),
        (b"GIF89a", Refusal::Unreadable),
        (b"\xff\xd8\xff\xe0", Refusal::Unreadable),
        (b"\x89PNG\r\n\x1a\n", Refusal::Unreadable),
        (b"RIFF\0\0\0\0WEBPVP8 ", Refusal::Unreadable),
    ] {
        assert_eq!(reencode(bytes).unwrap_err(), refusal, "{bytes:?}");
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Metadata of 3.8 GB in a file of 819 bytes.
#[test]
fn a_chunk_that_claims_more_than_there_is_is_refused() {
    let claim = include_bytes!(
        "../../../../infra/fuzz/findings/picture/oom-fdab918a5924e2d1107f8f694a5815f8d137b1c4"
    );
    assert_eq!(reencode(claim).unwrap_err(), Refusal::Unreadable);
}
