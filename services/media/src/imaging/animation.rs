//! GIFs: each frame is unpacked and packed again with its colours; all else (comments, metadata) is left out.

use gif::{ColorOutput, DecodeOptions, Encoder, MemoryLimit};

use super::Reencoded;
use crate::{error::Refusal, imaging::decode, limits::MAX_PIXELS, picture::Format};

/// Reads a GIF and packs it again. All its frames together count as one picture.
pub fn reencode(bytes: &[u8]) -> Result<Reencoded, Refusal> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    options.check_frame_consistency(true);
    options.set_memory_limit(MemoryLimit::Unlimited);
    let mut decoder = options.read_info(bytes).map_err(unreadable)?;
    let (width, height) = (decoder.width(), decoder.height());
    decode::check_pixels(width.into(), height.into())?;
    let palette = decoder.global_palette().unwrap_or_default().to_vec();
    let mut encoder = Encoder::new(Vec::new(), width, height, &palette).map_err(unreadable)?;
    let (mut frames, mut pixels) = (0, 0);
    // The size of a frame is known from its header, before it is unpacked.
    while let Some(frame) = decoder.next_frame_info().map_err(unreadable)? {
        let mut frame = frame.clone();
        pixels += u64::from(frame.width) * u64::from(frame.height);
        if pixels > MAX_PIXELS {
            return Err(Refusal::TooManyPixels);
        }
        let mut indices = vec![0; decoder.buffer_size()];
        decoder.read_into_buffer(&mut indices).map_err(unreadable)?;
        frame.buffer = indices.into();
        frame.interlaced = false;
        if frames == 0 {
            encoder.set_repeat(decoder.repeat()).map_err(unreadable)?;
        }
        encoder.write_frame(&frame).map_err(unreadable)?;
        frames += 1;
    }
    if frames == 0 {
        return Err(Refusal::Unreadable);
    }
    Ok(Reencoded {
        bytes: encoder
            .into_inner()
            .map_err(|_| Refusal::Unreadable)?
            .into(),
        format: Format::Gif,
        width: width.into(),
        height: height.into(),
    })
}

fn unreadable(error: impl std::fmt::Display) -> Refusal {
    tracing::debug!(%error, "a GIF can't be read");
    Refusal::Unreadable
}
