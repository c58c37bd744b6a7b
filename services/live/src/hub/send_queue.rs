//! The frames that wait for one socket.

use std::{
    collections::VecDeque,
    io::{self, Write},
};

use crate::wire::frame::Frame;

/// Bytes handed to the kernel at once, unless a single frame has more.
const MAX_WRITE: usize = 64 * 1024;
/// The capacity that an empty queue keeps.
const MIN_CAPACITY: usize = 8;
/// The conflation key of frames that are never replaced.
const STATUS_KEY: u64 = u64::MAX;

#[derive(Debug)]
struct QueuedFrame {
    frame: Frame,
    /// A newer frame of its conflation key may take its place.
    conflation_key: u64,
}

/// The queue of one socket. While the socket takes what it is given, everything goes out in order.
/// Once it does not, a newer position takes the place of the one of its conflation key that waits; statuses
/// wait, up to a bound.
#[derive(Debug, Default)]
pub struct SendQueue {
    waiting: VecDeque<QueuedFrame>,
    /// The written bytes of the first frame.
    written: usize,
    /// True if the kernel takes no more until it reports that it does.
    blocked: bool,
    statuses: usize,
    status_bytes: usize,
    /// Bytes that the socket has taken in all.
    taken: u64,
}

/// A socket has not taken its statuses for too long.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

impl SendQueue {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub fn is_blocked(&self) -> bool {
        self.blocked
    }

    /// The bytes that the socket has taken in all. If it doesn't grow while more waits, the socket is
    /// stalled.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Adds a frame of which only the newest of its conflation key counts, a position; true where it replaced
    /// one.
    pub fn newest(&mut self, conflation_key: u64, frame: &Frame) -> bool {
        let conflation_key = conflation_key.min(STATUS_KEY - 1);
        if self.blocked {
            let begun = usize::from(self.written > 0);
            let older = self.waiting.iter_mut().skip(begun);
            if let Some(older) = older
                .rev()
                .find(|waiting| waiting.conflation_key == conflation_key)
            {
                older.frame = Frame::clone(frame);
                return true;
            }
        }
        self.waiting.push_back(QueuedFrame {
            frame: Frame::clone(frame),
            conflation_key,
        });
        false
    }

    /// Adds a frame that must not be lost.
    pub fn status(&mut self, frame: Frame, most: usize, most_bytes: usize) -> Result<(), Full> {
        if self.blocked && (self.statuses >= most || self.status_bytes + frame.len() > most_bytes) {
            return Err(Full);
        }
        self.statuses += 1;
        self.status_bytes += frame.len();
        self.waiting.push_back(QueuedFrame {
            frame,
            conflation_key: STATUS_KEY,
        });
        Ok(())
    }

    /// Drops the waiting frames, except the rest of one that is half written.
    pub fn clear(&mut self) {
        self.waiting.truncate(usize::from(self.written > 0));
        self.recount();
    }

    /// Writes all that the kernel takes, gathered in a buffer that all sockets share: one copy and
    /// one plain write cost less than a vectored write of as many pieces. Returns how many positions
    /// a slow socket will not get.
    pub fn write(&mut self, mut to: impl Write, gathered: &mut Vec<u8>) -> io::Result<usize> {
        while let Some(first) = self.waiting.front() {
            let bytes = if self.waiting.len() == 1 {
                &first.frame[self.written..]
            } else {
                gathered.clear();
                gathered.extend_from_slice(&first.frame[self.written..]);
                for waiting in self.waiting.iter().skip(1) {
                    if gathered.len() + waiting.frame.len() > MAX_WRITE {
                        break;
                    }
                    gathered.extend_from_slice(&waiting.frame);
                }
                &gathered[..]
            };
            let wanted = bytes.len();
            match to.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(taken) => {
                    self.taken = self.taken.wrapping_add(taken as u64);
                    self.drop_written(taken);
                    if taken < wanted {
                        return Ok(self.block());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(self.block()),
                Err(error) => return Err(error),
            }
        }
        self.blocked = false;
        if self.waiting.capacity() > 4 * MIN_CAPACITY {
            self.waiting.shrink_to(MIN_CAPACITY);
        }
        Ok(0)
    }

    fn drop_written(&mut self, taken: usize) {
        self.written += taken;
        while let Some(first) = self.waiting.front() {
            let length = first.frame.len();
            if self.written < length {
                return;
            }
            self.written -= length;
            if first.conflation_key == STATUS_KEY {
                self.statuses -= 1;
                self.status_bytes -= length;
            }
            self.waiting.pop_front();
        }
    }

    /// From here on only the newest frame of each conflation key waits.
    fn block(&mut self) -> usize {
        if std::mem::replace(&mut self.blocked, true) {
            return 0;
        }
        let before = self.waiting.len();
        let begun = usize::from(self.written > 0);
        let mut newest = Vec::new();
        let mut index = before;
        let mut keep = vec![true; before];
        for waiting in self.waiting.iter().skip(begun).rev() {
            index -= 1;
            if waiting.conflation_key != STATUS_KEY {
                keep[index] = !newest.contains(&waiting.conflation_key);
                newest.push(waiting.conflation_key);
            }
        }
        let mut keep = keep.into_iter();
        self.waiting.retain(|_| keep.next().unwrap_or(true));
        before - self.waiting.len()
    }

    fn recount(&mut self) {
        let statuses = self
            .waiting
            .iter()
            .filter(|waiting| waiting.conflation_key == STATUS_KEY);
        (self.statuses, self.status_bytes) = statuses.fold((0, 0), |(count, bytes), waiting| {
            (count + 1, bytes + waiting.frame.len())
        });
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    /// Takes so many bytes and then no more.
    struct Narrow<'a>(&'a mut Vec<u8>, usize);

    impl Write for Narrow<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.1);
            if count == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            self.0.extend_from_slice(&bytes[..count]);
            self.1 -= count;
            Ok(count)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn frame(text: &str) -> Frame {
        Rc::from(text.as_bytes())
    }

    fn status(queue: &mut SendQueue, text: &str) -> Result<(), Full> {
        queue.status(frame(text), 3, 100)
    }

    #[test]
    fn a_socket_that_takes_everything_gets_everything_in_order() {
        let (mut queue, mut out) = (SendQueue::default(), Vec::new());
        let frames: Vec<String> = (0..200).map(|n| format!("{n},")).collect();
        for text in &frames {
            assert!(!queue.newest(1, &frame(text)));
        }
        assert_eq!(
            queue
                .write(Narrow(&mut out, usize::MAX), &mut Vec::new())
                .unwrap(),
            0
        );
        assert_eq!(String::from_utf8(out).unwrap(), frames.concat());
        assert!(queue.is_empty() && !queue.is_blocked());
    }

    #[test]
    fn a_slow_socket_gets_the_newest_position_of_each_topic_and_every_status() {
        let (mut queue, mut out) = (SendQueue::default(), Vec::new());
        queue.newest(1, &frame("[a1]"));
        queue.newest(1, &frame("[a2]"));
        queue.newest(2, &frame("[b1]"));
        status(&mut queue, "[s1]").unwrap();
        queue.newest(1, &frame("[a3]"));
        // It takes two bytes: the first frame is half out, and has to be finished.
        assert_eq!(
            queue.write(Narrow(&mut out, 2), &mut Vec::new()).unwrap(),
            1
        );
        assert!(queue.is_blocked());
        assert!(queue.newest(1, &frame("[a4]")));
        assert!(queue.newest(2, &frame("[b2]")));
        assert!(!queue.newest(3, &frame("[c1]")));
        status(&mut queue, "[s2]").unwrap();
        queue
            .write(Narrow(&mut out, usize::MAX), &mut Vec::new())
            .unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "[a1][b2][s1][a4][c1][s2]");
        assert!(!queue.is_blocked());
    }

    #[test]
    fn only_so_many_statuses_wait() {
        let (mut queue, mut out) = (SendQueue::default(), Vec::new());
        status(&mut queue, "[s]").unwrap();
        queue.write(Narrow(&mut out, 0), &mut Vec::new()).unwrap();
        status(&mut queue, "[s]").unwrap();
        status(&mut queue, "[s]").unwrap();
        assert_eq!(status(&mut queue, "[s]"), Err(Full));
        queue.clear();
        assert!(queue.is_empty());
    }

    #[test]
    fn a_half_written_frame_is_finished_before_the_goodbye() {
        let (mut queue, mut out) = (SendQueue::default(), Vec::new());
        status(&mut queue, "[s1]").unwrap();
        queue.newest(1, &frame("[a]"));
        queue.write(Narrow(&mut out, 3), &mut Vec::new()).unwrap();
        queue.clear();
        status(&mut queue, "[bye]").unwrap();
        queue
            .write(Narrow(&mut out, usize::MAX), &mut Vec::new())
            .unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "[s1][bye]");
    }
}
