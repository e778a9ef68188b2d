//! The text that all replays have.

use std::fmt;

/// Writes a step in two columns behind its time: the checker's lines, `width` wide, and those of the machine.
pub fn columns(
    f: &mut fmt::Formatter<'_>,
    time: &str,
    width: usize,
    [checker, machine]: [&[String]; 2],
    nothing: &str,
) -> fmt::Result {
    for at in 0..checker.len().max(machine.len()).max(usize::from(!nothing.is_empty())) {
        let line = |lines: &[String]| lines.get(at).cloned().unwrap_or_else(|| nothing.into());
        let time = if at == 0 { time.to_owned() } else { " ".repeat(time.len()) };
        writeln!(f, "{time}  {:width$} | {}", line(checker), line(machine))?;
    }
    Ok(())
}

/// Writes the last line: whether `machine` did at each step what the checker says, and ended as a finding says, or well.
pub fn conclusion(
    f: &mut fmt::Formatter<'_>,
    machine: &str,
    (agrees, shows): (bool, bool),
    finding: Option<&str>,
) -> fmt::Result {
    match (agrees, shows, finding) {
        (true, true, None) => write!(f, "replay     all ends well"),
        (true, true, Some(finding)) => write!(f, "replay     {machine} show it: {finding}"),
        (true, false, _) => write!(f, "replay     {machine} end otherwise than the checker says"),
        (false, ..) => write!(f, "replay     {machine} do not do what the checker says"),
    }
}

/// The words before an event that could not happen under the rules of the replay.
pub fn skipped(skipped: bool) -> &'static str {
    if skipped { "not possible: " } else { "" }
}
