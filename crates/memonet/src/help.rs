//! `memonet --help`: commands in groups, examples of the machines of this build, and what this build lacks.

use clap::{Command, ValueEnum};
use machine_api::Parallel;

use crate::groups::GROUPS;
use crate::machines::{Name, with_machine};
use crate::{left_out, machines};

const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n{before-help}Options:\n{options}{after-help}";

/// Groups the commands and adds the examples of the machines of this build. The help also names the commands
/// and machines that this build lacks.
pub fn complete(cli: Command) -> Command {
    let missing = left_out::all(&cli);
    let groups = groups(&cli);
    let cli = cli.mut_subcommands(with_examples);
    let cli = left_out::without_examples(cli, &missing);
    let cli = cli.before_help(groups).help_template(TEMPLATE);
    if missing.is_empty() {
        return cli;
    }
    let help = cli.get_after_help().map(ToString::to_string).unwrap_or_default();
    let builds_all = left_out::BUILDS_ALL;
    cli.after_help(format!(
        "{help}\n\nNot in this build: {}; `{builds_all}` builds everything.",
        missing.join(", ")
    ))
}

/// Appends the examples of machines to those of a command, and lists the carriers of machines for
/// `--carrier`.
fn with_examples(command: Command) -> Command {
    let has_carrier = command.get_arguments().any(|argument| argument.get_id() == "carrier");
    let command =
        if has_carrier { command.mut_arg("carrier", |argument| argument.help(carriers())) } else { command };
    let lines: String = machines::examples(command.get_name()).map(|line| format!("\n  {line}")).collect();
    if lines.is_empty() {
        return command;
    }
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let place =
        help.find("Examples:").map(|start| help[start..].find("\n\n").map_or(help.len(), |end| start + end));
    command.after_help(match place {
        Some(place) => format!("{}{lines}{}", &help[..place], &help[place..]),
        None => format!("Examples:{lines}\n{}", help),
    })
}

fn carriers() -> String {
    let of = |machine: &Name| {
        let names =
            with_machine!(*machine, M => M::CARRIERS.iter().map(|carrier| carrier.name).collect::<Vec<_>>());
        format!("{} on {}", names.join(", "), machine.folder())
    };
    let machines: Vec<_> = Name::value_variants().iter().map(of).collect();
    format!("Carrier of MPI packets: {}. Default: the first one", machines.join("; "))
}

/// The commands of each group with the first line of their help.
fn groups(cli: &Command) -> String {
    let mut text = String::new();
    for (title, names) in GROUPS {
        let line = |name: &&str| match cli.find_subcommand(name) {
            Some(command) => {
                let about = command.get_about().map(ToString::to_string).unwrap_or_default();
                Some(format!("  {name:12} {}\n", about.trim_end_matches('.')))
            }
            None if *name == "help" => Some(format!("  {name:12} Print this, or the help of a command\n")),
            None => None,
        };
        let lines: String = names.iter().filter_map(line).collect();
        if !lines.is_empty() {
            text += &format!("\n{title}:\n{lines}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Cli;

    #[test]
    fn machine_examples_follow_those_of_the_command() {
        let cli = complete(Cli::command());
        for name in ["run", "lockstep"] {
            let help = cli
                .find_subcommand(name)
                .and_then(Command::get_after_help)
                .expect("it has examples")
                .to_string();
            for line in machines::examples(name) {
                let examples = help.split("\n\n").find(|block| block.starts_with("Examples:")).unwrap();
                assert!(examples.contains(line), "{line} is missing in:\n{help}");
            }
        }
    }
}
