use std::{
    io::Write,
    process::{Command, Stdio},
};

use crate::wheel;

const PINS: &str = include_str!("../escpos/requirements.txt");
const SCRIPT: &str = include_str!("../escpos/ticket.py");

/// A ticket, given as JSON, in the bytes that python-escpos makes of it. The package is fetched once.
pub fn escpos_ticket(json: &str) -> Vec<u8> {
    let mut python = Command::new("python3")
        .args(["-c", SCRIPT])
        .env(
            "PYTHONPATH",
            wheel::fetched("test-python-escpos-3.1", PINS, &[]),
        )
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3");
    let mut input = python.stdin.take().expect("standard input");
    input.write_all(json.as_bytes()).expect("the ticket");
    drop(input);
    let output = python.wait_with_output().expect("the bytes");
    assert!(output.status.success(), "python-escpos refused {json}");
    output.stdout
}
