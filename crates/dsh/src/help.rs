//! Help, from the table of commands (thesis figure C.4).

use std::fmt::Write;

use crate::extra::ENTRIES;
use crate::table::{Entry, Kind, MANUAL, entries};

/// All commands: those of the manual as the figure shows one, then the others.
pub fn all() -> String {
    let list = |entries: &[Entry]| entries.iter().map(short).collect::<String>();
    format!("{}\nNot in the manual:\n{}", list(&MANUAL), list(&ENTRIES))
}

fn short(entry: &Entry) -> String {
    format!(
        "{} : {}\n- {}\n",
        entry.names.join(" (or ") + if entry.names.len() > 1 { ")" } else { "" },
        entry.title,
        entry.syntax()
    )
}

/// One command, with its words and examples.
pub fn one(name: &str) -> String {
    let mut text = String::new();
    for entry in entries().filter(|entry| entry.names.contains(&name)) {
        text += &short(entry);
        writeln!(text, "  {}", entry.about).expect("text has room");
        for parameter in entry.parameters {
            if let Kind::Choice(choices) = parameter.kind {
                writeln!(text, "  {}: {}", parameter.shown, choices().join(", ")).expect("text has room");
            }
        }
        for example in entry.examples {
            writeln!(text, "  dsh > {example}").expect("text has room");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_begins_with_figure_c_4() {
        let figure = "evpbuf_read : LH Buffer Read\n- evpbuf_read [Offset] [Size(Byte)]\n";
        assert!(all().starts_with(figure), "{}", all());
    }

    #[test]
    fn every_command_of_table_c_1_is_listed_in_its_order() {
        let names = [
            "evpbuf_read",
            "h (or help)",
            "llcm_read",
            "llcm_write",
            "prim",
            "pw_read",
            "q (or quit)",
            "rllcm_write",
            "sreg_read",
            "sreg_write",
            "ureg_read",
            "ureg_write",
            "v (or version)",
            "ww_write",
        ];
        let text = all();
        let manual = text.split("Not in the manual").next().unwrap();
        let mut listed: Vec<_> = manual
            .lines()
            .filter(|line| !line.starts_with('-'))
            .filter_map(|line| line.split_once(" : "))
            .collect();
        listed.dedup_by_key(|(name, _)| *name);
        assert_eq!(listed.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
    }

    #[test]
    fn help_of_a_command_has_examples_and_choices() {
        let text = one("ureg_read");
        assert!(text.contains("dsh > ureg_read ctl_status") && text.contains("evpbuf_nwa"), "{text}");
        assert_eq!(one("sreg_write").matches("- sreg_write").count(), 2);
    }
}
