//! Help, from the table of commands (thesis figure C.4).

use std::fmt::Write;

use machine_api::Driven;

use crate::table::{Entry, Kind, command_names, entries, manual, others};

/// All commands: those of the manual in the form of the figure, then the others.
pub fn all<M: Driven>() -> String {
    let [own, others]: [String; 2] = [
        manual::<M>().map(|entry| short(&entry)).collect(),
        others::<M>().map(|entry| short(&entry)).collect(),
    ];
    format!("{own}\n{}\n{others}", M::OTHERS)
}

fn short<M: Driven>(entry: &Entry<M>) -> String {
    format!(
        "{} : {}\n- {}\n",
        entry.names.join(" (or ") + if entry.names.len() > 1 { ")" } else { "" },
        entry.title,
        entry.syntax()
    )
}

/// One command, with its words and examples.
pub fn one<M: Driven>(name: &str) -> String {
    let mut text = String::new();
    for entry in entries::<M>().iter().filter(|entry| entry.names.contains(&name)) {
        text += &short(entry);
        push_wrapped(&mut text, entry.about);
        for parameter in entry.parameters {
            let choices = match parameter.kind {
                Kind::Choice(choices) | Kind::Register(choices, _) | Kind::Words(choices) => choices(),
                Kind::Command => command_names::<M>(),
                _ => continue,
            };
            push_wrapped(&mut text, &format!("{}: {}", parameter.shown, choices.join(", ")));
        }
        for example in entry.examples {
            writeln!(text, "  dsh > {example}").expect("text has room");
        }
    }
    text
}

/// Columns of any terminal.
const WIDTH: usize = 80;

/// Wraps a sentence into lines, each after two blanks.
fn push_wrapped(text: &mut String, sentence: &str) {
    let mut line = String::from(" ");
    for word in sentence.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            writeln!(text, "{line}").expect("text has room");
            line.truncate(1);
        }
        line.push(' ');
        line += word;
    }
    writeln!(text, "{line}").expect("text has room");
}

#[cfg(test)]
mod tests {
    use dimmnet2_machine::Dimmnet2;

    use super::*;

    #[test]
    fn list_begins_with_figure_c_4() {
        let figure = "evpbuf_read : LH Buffer Read\n- evpbuf_read [Offset] [Size(Byte)]\n";
        assert!(all::<Dimmnet2>().starts_with(figure), "{}", all::<Dimmnet2>());
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
        let text = all::<Dimmnet2>();
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
        let text = one::<Dimmnet2>("ureg_read");
        assert!(text.contains("dsh > ureg_read ctl_status") && text.contains("evpbuf_nwa"), "{text}");
        assert_eq!(one::<Dimmnet2>("sreg_write").matches("- sreg_write").count(), 2);
    }

    #[test]
    fn sentences_fit_on_a_terminal() {
        for name in command_names::<Dimmnet2>() {
            let text = one::<Dimmnet2>(name);
            let sentences = text.lines().filter(|line| line.starts_with("  ") && !line.contains("dsh > "));
            assert!(
                sentences.clone().count() > 0 && sentences.clone().all(|line| line.len() <= WIDTH),
                "{text}"
            );
        }
    }
}
