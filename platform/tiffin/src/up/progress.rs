//! One line a step, with the time it took.

use std::time::Instant;

/// A step under way.
#[derive(Debug)]
pub struct Step(Instant);

/// Begins a step, without a word.
pub fn step() -> Step {
    Step(Instant::now())
}

/// Something that a step has to say while it is under way.
pub fn note(text: &str) {
    println!("  … {text}");
}

impl Step {
    /// The step's one line.
    pub fn done(self, text: &str) {
        println!("  ✓ {text:<58} {:>6.1} s", self.0.elapsed().as_secs_f32());
    }
}
