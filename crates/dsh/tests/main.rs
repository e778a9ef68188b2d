//! The shell as its users see it.

/// Faults, arcs, and the fate of a primitive.
mod faults;
/// The figures of appendix C, byte for byte.
mod figures;
/// Break points on frames.
mod frames;
/// Random lines and numbers.
mod fuzz;
/// Numbers, and lines that are not UTF-8.
mod numbers;
/// Programs of hosts, recorded and repeated.
mod programs;
/// Shells on the boards of a server.
mod serve;
/// Break points and turning time back.
mod time;

use std::rc::Rc;

use dimmnet2_machine::Dimmnet2;
use dsh::{Flow, Models, Start};

type Shell = dsh::Shell<Dimmnet2>;

fn shell() -> Shell {
    Shell::start(Start { processes: 2, pid: 0, wid: false }, Rc::new(Models), "model").unwrap()
}

/// The output of lines that all succeed.
fn prints(shell: &mut Shell, lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        let reply = shell.line(line);
        assert_eq!(reply.outcome, Ok(Flow::Next), "{line}");
        text += &reply.text;
    }
    text
}

/// The error of a line.
fn fails(shell: &mut Shell, line: &str) -> String {
    shell.line(line).outcome.unwrap_err().to_string()
}
