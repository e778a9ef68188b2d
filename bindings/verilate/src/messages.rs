//! Messages of Verilator, one line each, with names of fields in place of bit numbers.

use crate::sources::Index;
use crate::structure;

/// Messages in the output of Verilator, one line each. Other output, of a C++ compiler for example, stays as it
/// is.
pub fn compact(output: &str, sources: &Index) -> String {
    let messages: Vec<_> = output.lines().filter_map(|line| message(line, sources)).collect();
    if messages.is_empty() { output.to_string() } else { messages.join("\n") }
}

/// `PLACE: TEXT (KIND)` for a line `%Warning-KIND: PLACE: TEXT`; `None` for source excerpts and advice.
fn message(line: &str, sources: &Index) -> Option<String> {
    let line = line.strip_prefix('%')?;
    let (severity, text) = line.split_once(": ")?;
    if text.starts_with("Exiting due to") {
        return None;
    }
    let text = named(text, sources).unwrap_or_else(|| text.to_string());
    Some(match severity.split_once('-') {
        Some((_, kind)) => format!("{text} ({kind})"),
        None => text,
    })
}

/// The message with names of fields for `'signal'[bits]`, if the signal is a structure.
fn named(text: &str, sources: &Index) -> Option<String> {
    let module = text.split(':').next()?.rsplit('/').next()?.strip_suffix(".sv")?;
    let (before, rest) = text.split_once('\'')?;
    let (signal, after) = rest.split_once('\'')?;
    let (bits, after) = after.strip_prefix('[')?.split_once(']')?;
    let fields = structure::fields_of(module, signal, &|name| sources.text(name).ok())?;
    let mut names = Vec::new();
    for range in bits.split(',') {
        let (high, low) = range.split_once(':').unwrap_or((range, range));
        let (high, low): (u32, u32) = (high.trim().parse().ok()?, low.trim().parse().ok()?);
        for field in fields.iter().rev().filter(|field| field.low <= high && low < field.low + field.width) {
            let (top, bottom) = (high.min(field.low + field.width - 1), low.max(field.low));
            let part = match (top - field.low, bottom - field.low) {
                _ if top - bottom + 1 == field.width => String::new(),
                (top, bottom) if top == bottom => format!("[{top}]"),
                (top, bottom) => format!("[{top}:{bottom}]"),
            };
            names.push(format!("{signal}.{}{part}", field.name));
        }
    }
    if names.is_empty() { None } else { Some(format!("{before}{}{after}", names.join(", "))) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const PACKAGE: &str = "\
package timer_pkg;
  typedef enum logic [1:0] {
    Idle = 2'd0
  } state_e;
  typedef struct packed {
    // Ends counting: see `stop;`.
    logic stop;
    struct packed {
      state_e state;
      logic [3:0] code;  // A code.
    } request;
    logic [7:0] cycles;
  } in_t;
endpackage
";

    fn sources(folder: &std::path::Path) -> Index {
        fs::write(folder.join("timer_pkg.sv"), PACKAGE).unwrap();
        fs::write(folder.join("timer.sv"), "module timer (\n  input  timer_pkg::in_t pins_i\n);\n").unwrap();
        Index::new(folder, &["".as_ref()])
    }

    #[test]
    fn bits_of_a_structure_have_the_names_of_their_fields() {
        let folder = tempfile::tempdir().unwrap();
        let sources = sources(folder.path());
        let output = "\
%Warning-UNUSEDSIGNAL: rtl/timer/timer.sv:2:26: Bits of signal are not used: 'pins_i'[14,9:6]
                                              : ... In instance timer
    2 |   input  timer_pkg::in_t pins_i
      |                          ^~~~~~
                        ... For warning description see https://verilator.org/warn/UNUSEDSIGNAL
%Error: Exiting due to 1 warning(s)
";
        assert_eq!(
            compact(output, &sources),
            "rtl/timer/timer.sv:2:26: Bits of signal are not used: \
             pins_i.stop, pins_i.request.code[1:0], pins_i.cycles[7:6] (UNUSEDSIGNAL)"
        );
    }

    #[test]
    fn other_messages_keep_their_text() {
        let folder = tempfile::tempdir().unwrap();
        let sources = sources(folder.path());
        let output = "%Error: rtl/timer/timer.sv:5:1: syntax error, unexpected end\n%Error: Exiting due to 1 error(s)\n";
        assert_eq!(compact(output, &sources), "rtl/timer/timer.sv:5:1: syntax error, unexpected end");
        let output = "%Warning-UNUSEDSIGNAL: rtl/x.sv:2:6: Bits of signal are not used: 'other'[3]";
        assert_eq!(
            compact(output, &sources),
            "rtl/x.sv:2:6: Bits of signal are not used: 'other'[3] (UNUSEDSIGNAL)"
        );
        assert_eq!(compact("timer.cc:1: no such file\n", &sources), "timer.cc:1: no such file\n");
    }
}
