//! Machines and commands that this build lacks, and the error for a user who asks for one.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use crate::groups::GROUPS;
use crate::machines;

/// The command that builds all machines and commands.
pub const BUILDS_ALL: &str = "make mpi";

/// Machines that this build lacks.
pub fn machines() -> impl Iterator<Item = &'static str> {
    machines::KNOWN.iter().filter(|(_, built)| !built).map(|(name, _)| *name)
}

/// Commands that this build lacks.
pub fn commands(cli: &Command) -> impl Iterator<Item = &'static str> {
    let known = GROUPS.iter().flat_map(|(_, names)| *names).copied();
    known.filter(|name| *name != "help" && cli.find_subcommand(name).is_none())
}

/// Machines and commands that this build lacks.
pub fn all(cli: &Command) -> Vec<&'static str> {
    machines().chain(commands(cli)).collect()
}

/// Names what this build lacks and how to get it: `the machine NAME`.
pub fn sentence(what: &str) -> String {
    format!("this memonet was built without {what}; `{BUILDS_ALL}` builds everything")
}

/// Replaces an error of the parser if it concerns a machine or command that other builds have.
pub fn explained(cli: &Command, wrong: Error) -> Error {
    let text = |kind| match wrong.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let what = match wrong.kind() {
        ErrorKind::InvalidSubcommand => text(ContextKind::InvalidSubcommand).and_then(|asked| {
            let known = commands(cli).find(|name| *name == asked)?;
            Some(format!("the command {known}"))
        }),
        ErrorKind::InvalidValue => text(ContextKind::InvalidValue).and_then(|asked| {
            let option = text(ContextKind::InvalidArg)?.split(' ').next()?;
            let known = machines().find(|name| *name == asked.replace('-', "_"))?;
            ["--machine", "--paper"].contains(&option).then(|| format!("the machine {known}"))
        }),
        _ => None,
    };
    what.map_or(wrong, |what| Error::raw(ErrorKind::InvalidSubcommand, sentence(&what) + "\n"))
}

/// Removes examples that use a missing machine or command.
pub fn without_examples(command: Command, missing: &[&str]) -> Command {
    if missing.is_empty() {
        return command;
    }
    let command = match command.get_after_help().map(ToString::to_string) {
        Some(help) => command.after_help(built_examples(&help, missing)),
        None => command,
    };
    command.mut_subcommands(|command| without_examples(command, missing))
}

fn built_examples(help: &str, missing: &[&str]) -> String {
    let is_built = |line: &&str| {
        let words: Vec<_> = line.split_whitespace().flat_map(|word| word.split(['=', ','])).collect();
        words.first() != Some(&"memonet") || !words.iter().any(|word| missing.contains(word))
    };
    help.lines().filter(is_built).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Cli;

    #[test]
    fn the_full_build_lacks_nothing() {
        let missing = all(&Cli::command());
        assert_eq!(missing.is_empty(), cfg!(feature = "full"), "{missing:?}");
    }

    #[test]
    fn examples_of_missing_parts_are_removed() {
        let help = "Examples:\n  memonet run\n  memonet run --machine other\n  memonet check mpi";
        assert_eq!(built_examples(help, &["other", "check"]), "Examples:\n  memonet run");
    }
}
