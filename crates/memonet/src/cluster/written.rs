//! Files that a run writes.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{Args, ClusterReport};
use crate::{output, usage};

/// Path of the table that is written next to a drawing unless the table has a path of its own.
fn table_of_drawing(args: &Args) -> Option<PathBuf> {
    let svg = args.svg.as_ref().filter(|_| args.csv.is_none())?;
    Some(svg.with_extension("csv"))
}

/// Checks that each file has a folder, and that none is written twice or over the workload or topology.
pub(super) fn check(args: &Args) -> anyhow::Result<()> {
    for file in [&args.csv, &args.messages_csv, &args.svg].into_iter().flatten() {
        output::check_folder(file)?;
    }
    let file = |name, path: Option<&Path>| path.map(|path| (name, absolute(path)));
    let read = [
        file("--workload <WORKLOAD>", Some(Path::new(&args.workload))),
        file("--topology <TOPOLOGY>", args.topology.as_deref().map(Path::new)),
    ];
    let table = table_of_drawing(args);
    let written = [
        file("--csv <FILE>", args.csv.as_deref()),
        file("--messages-csv <FILE>", args.messages_csv.as_deref()),
        file("--svg <FILE>", args.svg.as_deref()),
        file("--svg, whose table has the name of the drawing,", table.as_deref()),
    ];
    let mut met: Vec<_> = read.into_iter().flatten().collect();
    for (name, path) in written.into_iter().flatten() {
        if let Some((other, _)) = met.iter().find(|(_, met)| *met == path) {
            let reason = format!("it is the file of {other}");
            return Err(usage::invalid(name, path.display(), reason));
        }
        met.push((name, path));
    }
    Ok(())
}

/// A path that is equal for equal files.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// Writes the table and the drawing of all runs.
pub(super) fn write(args: &Args, report: &mut ClusterReport) -> anyhow::Result<()> {
    if let Some(path) = args.csv.clone().or_else(|| table_of_drawing(args)) {
        report.report.write_csv(&path).with_context(|| about(&path))?;
        report.wrote.push(path);
    }
    if let Some(path) = &args.svg {
        report.report.write_svg(path).with_context(|| about(path))?;
        report.wrote.push(path.clone());
    }
    Ok(())
}

/// Context of an error in writing a file.
pub(super) fn about(path: &Path) -> String {
    format!("writing {}", path.display())
}
