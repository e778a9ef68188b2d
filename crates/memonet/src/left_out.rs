//! Machines and commands that this binary was built without, and what a user who asks for one is told.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// The command that builds all machines and commands.
pub const BUILDS_ALL: &str = "make mpi";

/// Machines by their names, and whether they are in this build.
const MACHINES: [(&str, bool); 4] = [
    ("dimmnet2", cfg!(feature = "dimmnet2")),
    ("gigae_pm", cfg!(feature = "gigae_pm")),
    ("cenju3", cfg!(feature = "cenju3")),
    ("hca", cfg!(feature = "hca")),
];

/// Commands that a build may lack, and whether they are in this one.
const COMMANDS: [(&str, bool); 17] = [
    ("tap", cfg!(feature = "tap")),
    ("figures", cfg!(feature = "figures")),
    ("prove", cfg!(feature = "rtl_tools")),
    ("check", cfg!(feature = "check")),
    ("mutants", cfg!(feature = "rtl_tools")),
    ("second-opinion", cfg!(feature = "rtl_tools")),
    ("fagus", cfg!(feature = "fagus")),
    ("suci", cfg!(feature = "suci")),
    ("synth", cfg!(feature = "rtl_tools")),
    ("timing", cfg!(feature = "rtl_tools")),
    ("coverage", cfg!(feature = "rtl_tools")),
    ("schema", cfg!(feature = "schema")),
    ("mpicc", cfg!(feature = "programs")),
    ("mpicxx", cfg!(feature = "programs")),
    ("mpifort", cfg!(feature = "programs")),
    ("mpirun", cfg!(feature = "programs")),
    ("verbs", cfg!(feature = "programs")),
];

/// Machines that are not in this build.
pub fn machines() -> Vec<&'static str> {
    missing(&MACHINES)
}

/// Commands that are not in this build.
pub fn commands() -> Vec<&'static str> {
    missing(&COMMANDS)
}

fn missing(all: &[(&'static str, bool)]) -> Vec<&'static str> {
    all.iter().filter(|(_, built)| !built).map(|(name, _)| *name).collect()
}

/// Names what this build lacks and how to get it: `the machine gigae_pm`.
pub fn sentence(what: &str) -> String {
    format!("this memonet was built without {what}; `{BUILDS_ALL}` builds everything")
}

/// An error of the parser, replaced if a machine or command was asked for that other builds have.
pub fn explained(wrong: Error) -> Error {
    let text = |kind| match wrong.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let what = match wrong.kind() {
        ErrorKind::InvalidSubcommand => text(ContextKind::InvalidSubcommand).and_then(|asked| {
            let known = commands().into_iter().find(|name| *name == asked)?;
            Some(format!("the command {known}"))
        }),
        ErrorKind::InvalidValue => text(ContextKind::InvalidValue).and_then(|asked| {
            let option = text(ContextKind::InvalidArg)?.split(' ').next()?;
            let known = machines().into_iter().find(|name| *name == asked.replace('-', "_"))?;
            ["--machine", "--paper"].contains(&option).then(|| format!("the machine {known}"))
        }),
        _ => None,
    };
    what.map_or(wrong, |what| Error::raw(ErrorKind::InvalidSubcommand, sentence(&what) + "\n"))
}

/// The command line without examples of machines and commands that this build lacks; its help names them at the end.
pub fn fitted(cli: Command) -> Command {
    let missing = [machines(), commands()].concat();
    if missing.is_empty() {
        return cli;
    }
    let cli = without_examples(cli);
    let help = cli.get_after_help().map(ToString::to_string).unwrap_or_default();
    cli.after_help(format!(
        "{help}\n\nNot in this build: {}; `{BUILDS_ALL}` builds everything.",
        missing.join(", ")
    ))
}

fn without_examples(command: Command) -> Command {
    let command = match command.get_after_help().map(ToString::to_string) {
        Some(help) => command.after_help(built_examples(&help)),
        None => command,
    };
    command.mut_subcommands(without_examples)
}

fn built_examples(help: &str) -> String {
    let (machines, commands) = (machines(), commands());
    let is_built = |line: &&str| {
        let mut words = line.split_whitespace();
        if words.next() != Some("memonet") {
            return true;
        }
        let mut asked = words.clone().flat_map(|word| word.split(['=', ',']));
        let command = words.next().unwrap_or_default();
        !commands.contains(&command) && !asked.any(|word| machines.contains(&word))
    };
    help.lines().filter(is_built).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_build_lacks_nothing() {
        let missing = [machines(), commands()].concat();
        assert_eq!(missing.is_empty(), cfg!(feature = "full"), "{missing:?}");
    }

    #[test]
    fn examples_of_what_is_built_stay() {
        let help = "Examples:\n  memonet run\n  memonet run --machine gigae_pm\n  memonet check mpi";
        let shown = built_examples(help);
        assert!(shown.starts_with("Examples:\n  memonet run"));
        assert_eq!(shown.contains("gigae_pm"), cfg!(feature = "gigae_pm"));
        assert_eq!(shown.contains("check"), cfg!(feature = "check"));
    }
}
