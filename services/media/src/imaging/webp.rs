//! Checks of WebP data that the decoder does not make (RFC 9649): lengths of chunks and sizes of frames.

/// The head of a frame of an animation, before its chunks.
const FRAME_HEADER_LENGTH: usize = 16;

/// True if each chunk ends within the file, and each lossy frame of an animation has the animation's size.
/// The decoder allocates memory for metadata by the length that a chunk claims, up to 4 GiB, and panics if
/// a frame with transparency is larger than the animation.
pub fn is_valid(bytes: &[u8]) -> bool {
    let whole = length_at(bytes, 4).map_or(0, |length| bytes.len().min(length.saturating_add(8)));
    let mut chunks = Chunks {
        bytes,
        at: 12,
        end: whole,
    };
    chunks.all(|chunk| chunk.is_some_and(|chunk| chunk.name != b"ANMF" || frame_fits(chunk.data)))
}

fn frame_fits(frame: &[u8]) -> bool {
    let Some(data) = frame.get(FRAME_HEADER_LENGTH..) else {
        return false;
    };
    let wanted = [6, 9].map(|at| {
        1 + frame[at..at + 3]
            .iter()
            .rev()
            .fold(0, |n, b| n << 8 | u32::from(*b))
    });
    let mut chunks = Chunks {
        bytes: data,
        at: 0,
        end: data.len(),
    };
    let mut after_alpha = false;
    chunks.all(|chunk| {
        let Some(chunk) = chunk else { return false };
        // The decoder reads the chunk after a transparency as a lossy picture, for any name of it.
        let fits = match chunk.name {
            b"VP8 " => size(chunk.data) == Some(wanted),
            _ => !after_alpha,
        };
        after_alpha = chunk.name == b"ALPH";
        fits
    })
}

/// Width and height of a lossy picture: 14 bits each after the start code (RFC 6386, section 9.1).
fn size(lossy: &[u8]) -> Option<[u32; 2]> {
    let bytes = lossy.get(6..10)?;
    let side = |at: usize| u32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]) & 0x3fff);
    Some([side(0), side(2)])
}

struct Chunk<'a> {
    name: &'a [u8],
    data: &'a [u8],
}

/// The chunks of a part of a file; `None` for one that ends beyond the file.
struct Chunks<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Option<Chunk<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at + 8 > self.end {
            return None;
        }
        let begin = self.at + 8;
        let end = length_at(self.bytes, self.at + 4).and_then(|length| begin.checked_add(length));
        let name = &self.bytes[self.at..self.at + 4];
        let data = end.and_then(|end| self.bytes.get(begin..end));
        self.at = end.map_or(self.end, |end| end.saturating_add(end % 2));
        Some(data.map(|data| Chunk { name, data }))
    }
}

fn length_at(bytes: &[u8], at: usize) -> Option<usize> {
    let length = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*length)).ok()
}
