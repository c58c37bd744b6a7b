//! The progress of a start: one line for each step, with its duration.

use std::time::Instant;

/// A step under way.
#[derive(Debug)]
pub struct Step(Instant);

/// Begins a step; nothing is printed.
pub fn step() -> Step {
    Step(Instant::now())
}

/// Prints a note about the step under way.
pub fn note(text: &str) {
    println!("  … {text}");
}

impl Step {
    /// Prints the step's line.
    pub fn done(self, text: &str) {
        println!("  ✓ {text:<58} {:>6.1} s", self.0.elapsed().as_secs_f32());
    }
}
