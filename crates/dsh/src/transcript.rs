//! Sessions as text: input and output, in the form of the manual.
//!
//! A transcript is the text of a terminal: a line `# ./dsh 2 1 0` starts it (thesis figure C.2), `dsh > ` stands in
//! front of typed lines, the other lines are output. Lines above the start are remarks.

use std::path::Path;
use std::rc::Rc;

use machine_api::{Driven, number_up_to};
use thiserror::Error;

use crate::{Boards, Flow, Process, Shell, Start, StartError};

/// In front of typed lines.
pub const PROMPT: &str = "dsh > ";

const START: &str = "# ./dsh ";

/// Why a transcript cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TranscriptError {
    /// No line starts a shell.
    #[error("no line is `# ./dsh` with number of processes, PID and WID")]
    NoStart,
    /// The shell does not start.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Plays the typed lines of a transcript on boards of `kind`, and returns the resulting transcript: the same text if
/// all is unchanged. Errors are lines that begin with `dsh: `. File names are relative to `folder`.
pub fn play<M: Driven>(
    text: &str,
    boards: Rc<dyn Boards<M>>,
    kind: &str,
    folder: &Path,
) -> Result<String, TranscriptError> {
    let starts = |line: &&str| line.starts_with(START);
    let start_line = text.lines().find(starts).ok_or(TranscriptError::NoStart)?;
    let numbers: Vec<_> = start_line[START.len()..]
        .split_whitespace()
        .map(|word| number_up_to(word, u64::from(u32::MAX)))
        .collect();
    let [Ok(processes), Ok(pid), Ok(wid @ 0..2)] = numbers[..] else { return Err(TranscriptError::NoStart) };
    let start = Start { processes: processes as usize, pid: pid as usize, wid: wid == 1 };
    let mut shell = Shell::start(start, boards, kind)?;
    shell.act_as(Process { folder: folder.to_path_buf(), ..shell.process().clone() });

    let mut played = String::new();
    for line in text.lines().take_while(|line| !starts(line)) {
        played += &format!("{line}\n");
    }
    played += &format!("{start_line}\n");
    for typed in text.lines().filter_map(|line| line.strip_prefix(PROMPT.trim_end())) {
        let typed = typed.trim();
        played += format!("{PROMPT}{typed}").trim_end();
        played.push('\n');
        let reply = shell.line(typed);
        played += &reply.text;
        match reply.outcome {
            Ok(Flow::Next) => {}
            Ok(Flow::Quit) => break,
            Err(error) => played += &format!("dsh: {error}\n"),
        }
    }
    if let Err(error) = shell.finish() {
        played += &format!("dsh: {error}\n");
    }
    Ok(played)
}
