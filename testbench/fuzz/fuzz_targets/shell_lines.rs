//! Arbitrary bytes as lines of the shell: each is carried out or fails in one line of text.

#![no_main]

use std::rc::Rc;

use dimmnet2_machine::Dimmnet2;
use dsh::{End, LineShell, Models, Shell, Start};

/// Commands that open files by any name.
const FILES: [&[u8]; 2] = [b"source", b"trace"];

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let start = Start { processes: 2, pid: 0, wid: false };
    let mut shell = Shell::<Dimmnet2>::start(start, Rc::new(Models), "model").expect("two boards are enough");
    for line in input.split(|byte| *byte == b'\n') {
        if FILES.iter().any(|command| line.trim_ascii_start().starts_with(command)) {
            continue;
        }
        let answer = shell.line_of_bytes(line);
        if let End::Failed(error) = answer.end.expect("boards of its own are not lost") {
            assert!(!error.contains('\n'), "{error}");
        }
    }
});
