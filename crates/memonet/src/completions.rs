//! `memonet completions`: what shells need to complete its arguments.

use clap::Command;
use clap_complete::Shell;

use crate::output::{self, Outcome};

/// Print a script that lets a shell complete commands, options and names.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet completions bash > ~/.local/share/bash-completion/completions/memonet
  memonet completions zsh > ~/.zfunc/_memonet       # a folder of $fpath
  memonet completions fish > ~/.config/fish/completions/memonet.fish")]
pub struct Args {
    /// The shell.
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &Args, mut memonet: Command) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut memonet, "memonet", &mut script);
    output::bytes(&script)?;
    Ok(Outcome::Success)
}
