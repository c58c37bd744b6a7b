//! A picture: its names, and its renditions.

use percent_encoding::percent_decode_str;
use tiffin_events::UserId;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::Refusal;

/// The time that browsers may keep a picture unless its uploader set another, in seconds.
pub const CACHE_SECONDS: i32 = 3_600;
/// The key of the picture itself in the store, beside its renditions.
pub const ORIGINAL: &str = "whole";
/// The only bucket.
pub const BUCKET: &str = "images";

/// The widths that pictures are resized to, in pixels. A requested width is rounded up to one of them, so
/// that no client can fill the store with a thousand sizes of one picture.
const WIDTHS: [u32; 9] = [64, 128, 256, 384, 512, 768, 1024, 1536, 2048];
/// The widest WebP that is rendered, and the tallest: larger ones take too long.
const WEBP_WIDTH: u32 = 2_048;
const WEBP_HEIGHT: u32 = 4_096;
/// The part of a picture's public address before its name.
const PUBLIC: &str = "/storage/v1/object/public/images/";
const MAX_NAME_LENGTH: usize = 255;

/// The encoding of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Jpeg,
    Png,
    WebP,
    Gif,
}

impl Format {
    const ALL: [Self; 4] = [Self::Jpeg, Self::Png, Self::WebP, Self::Gif];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jpeg => "jpeg",
            Self::Png => "png",
            Self::WebP => "webp",
            Self::Gif => "gif",
        }
    }

    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
            Self::Gif => "image/gif",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == text)
    }
}

/// A stored picture.
#[derive(Clone, Debug)]
pub struct Picture {
    pub id: Uuid,
    pub name: String,
    pub owner: Option<UserId>,
    pub format: Format,
    /// Pixels.
    pub width: u32,
    pub height: u32,
    /// Bytes.
    pub size: i64,
    /// Without quotes.
    pub etag: String,
    /// The time that browsers may keep it, in seconds.
    pub cache: i32,
    pub uploaded_at: OffsetDateTime,
}

/// A picture in another size or format than it was uploaded in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rendition {
    pub width: u32,
    pub height: u32,
    pub format: Format,
}

impl Rendition {
    /// Its key in the store, beside the picture itself.
    pub fn key(self) -> String {
        format!("{}.{}", self.width, self.format.as_str())
    }
}

impl Picture {
    /// The rendition for a requested width and a client that may take WebP; `None` is the picture as it was
    /// uploaded. Nothing is ever enlarged. A GIF stays as it is unless it is resized, which shows its first
    /// frame.
    pub fn rendition(&self, requested: Option<u32>, accepts_webp: bool) -> Option<Rendition> {
        let resized = requested
            .map(standard_width)
            .filter(|width| *width < self.width);
        let width = resized.unwrap_or(self.width);
        let bounded = width.min(WEBP_WIDTH);
        let converts = self.format != Format::Gif || resized.is_some();
        let webp_height = scaled(self.height, bounded, self.width);
        let webp =
            accepts_webp && self.format != Format::WebP && converts && webp_height <= WEBP_HEIGHT;
        let width = if webp { bounded } else { width };
        let height = scaled(self.height, width, self.width);
        let format = match self.format {
            Format::Gif if resized.is_none() => Format::Gif,
            Format::Jpeg | Format::Png | Format::Gif if webp => Format::WebP,
            Format::Gif => Format::Png,
            format => format,
        };
        (resized.is_some() || format != self.format).then_some(Rendition {
            width,
            height,
            format,
        })
    }

    /// The `ETag` of a rendition: renditions are always rendered the same way.
    pub fn etag(&self, rendition: Option<Rendition>) -> String {
        rendition.map_or_else(
            || format!("\"{}\"", self.etag),
            |rendition| format!("\"{}-{}\"", self.etag, rendition.key()),
        )
    }
}

/// The standard width for a requested one.
fn standard_width(requested: u32) -> u32 {
    let [.., widest] = WIDTHS;
    WIDTHS
        .into_iter()
        .find(|width| *width >= requested)
        .unwrap_or(widest)
}

fn scaled(height: u32, width: u32, of: u32) -> u32 {
    let scaled = (u64::from(height) * u64::from(width) + u64::from(of) / 2) / u64::from(of.max(1));
    u32::try_from(scaled).unwrap_or(height).max(1)
}

/// A name as the client chose it. It is a label, never a path.
pub fn check_name(name: &str) -> Result<(), Refusal> {
    let fits = (1..=MAX_NAME_LENGTH).contains(&name.chars().count());
    if fits && !name.contains(['/', '\\']) && !name.chars().any(char::is_control) {
        Ok(())
    } else {
        Err(Refusal::BadName)
    }
}

/// The name of the picture behind a URL, if it is a picture of this service; the host of the URL does not matter.
pub fn name_in(url: &str) -> Option<String> {
    let (_, rest) = url.split_once(PUBLIC)?;
    let name = rest.split(['?', '#']).next()?;
    let name = percent_decode_str(name).decode_utf8().ok()?;
    check_name(&name).ok().map(|()| name.into_owned())
}

#[cfg(test)]
mod tests;
