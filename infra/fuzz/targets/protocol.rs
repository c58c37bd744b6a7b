#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| tiffin_live::fuzz::protocol(input));
