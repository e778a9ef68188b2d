//! `memonet man`: manual pages.

use clap::Command;

use crate::output::{self, Outcome};
use crate::usage;

/// Print a manual page.
///
/// The page describes memonet, or one of its commands.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet man | man -l -
  memonet man run | man -l -
  memonet man > ~/.local/share/man/man1/memonet.1")]
pub struct Args {
    /// Command to describe; memonet itself if not given.
    command: Option<String>,
}

/// Prints the page in roff.
pub fn run(args: &Args, mut memonet: Command) -> anyhow::Result<Outcome> {
    memonet.build();
    let page = match &args.command {
        None => memonet,
        Some(name) => match memonet.find_subcommand(name) {
            Some(command) => command.clone(),
            None => return Err(usage::invalid("[COMMAND]", name, "memonet has no such command")),
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    output::bytes(&text)?;
    Ok(Outcome::Success)
}
