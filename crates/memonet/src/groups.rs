//! Groups of commands.

/// Commands by what their users want, in the order of `memonet --help`.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Run a machine", &["run", "cluster", "explain", "shell", "serve", "studio", "wave", "tap"]),
    ("Run my program", &["mpicc", "mpicxx", "mpifort", "mpirun", "verbs", "fagus", "suci"]),
    (
        "Verify hardware",
        &[
            "lockstep",
            "prove",
            "check",
            "mutants",
            "gate-level",
            "coverage",
            "synth",
            "timing",
            "diagrams",
            "new-block",
        ],
    ),
    ("Publications", &["figures", "bench"]),
    ("Housekeeping", &["doctor", "schema", "completions", "man", "help"]),
];

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::*;
    use crate::Cli;

    #[test]
    fn every_command_is_in_one_group() {
        let cli = Cli::command();
        for command in cli.get_subcommands().map(Command::get_name).filter(|name| *name != "help") {
            let groups = GROUPS.iter().filter(|(_, names)| names.contains(&command));
            assert_eq!(groups.count(), 1, "{command}");
        }
    }
}
