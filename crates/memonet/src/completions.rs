//! `memonet completions`: completion scripts for shells.

use clap::Command;
use clap_complete::Shell;

use crate::output::{self, Outcome};

/// Print a completion script for a shell.
///
/// The script completes commands, options and names.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet completions bash > ~/.local/share/bash-completion/completions/memonet
  memonet completions zsh > ~/.zfunc/_memonet       # a folder of $fpath
  memonet completions fish > ~/.config/fish/completions/memonet.fish")]
pub struct Args {
    /// Shell that reads the script.
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &Args, mut memonet: Command) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut memonet, "memonet", &mut script);
    output::bytes(&script)?;
    Ok(Outcome::Success)
}
