//! The effects of the last command on one time line: from the first store of the host to the last trace on any board.

use std::fmt::Write;

use cluster::{Observation, Place, Stage, Stages};
use machine_api::{Driven, Explained};

use crate::error::LineError;
use crate::session::Session;

/// Longer time lines lose lines in the middle.
const LINES: usize = 60;

/// The time line of the last message of a node.
pub fn last<M: Driven>(session: &Session<M>, node: usize) -> Result<String, LineError> {
    let again = session.again_since(node, M::sets_off, |cluster| {
        cluster.observe();
        for node in 0..cluster.nodes().len() {
            for watch in M::watches() {
                cluster.node_mut(node).watch(watch).expect("every board has these machines");
            }
        }
    })?;
    let (accesses, cluster) = again.ok_or(LineError::NothingIssued(node))?;
    let Explained { heading, line, name, remarks } = M::explain(accesses, node, &cluster);
    Ok(heading + &stages(&line, name) + &remarks)
}

fn stages(line: &[Observation], name: fn(&Observation) -> &'static str) -> String {
    let mut text = String::new();
    let stages = Stages::each(line, name);
    let rows: Vec<_> = line.iter().skip(1).zip(stages.stages()).collect();
    let (head, tail) = rows.split_at(rows.len().min(LINES / 2));
    let (left_out, tail) = tail.split_at(tail.len().saturating_sub(LINES / 2));
    let push = |text: &mut String, (observation, stage): &(&Observation, &Stage)| {
        let place = match observation.place {
            Place::Node(node) => format!("node{node}"),
            Place::Switch(port) => format!("switch, port {port}"),
        };
        writeln!(text, "{:>14}  {place:<14}  {}", stage.duration.to_string(), stage.name)
            .expect("text has room");
    };
    head.iter().for_each(|row| push(&mut text, row));
    if !left_out.is_empty() {
        writeln!(text, "{:>14}  {} more", "...", left_out.len()).expect("text has room");
    }
    tail.iter().for_each(|row| push(&mut text, row));
    writeln!(text, "{:>14}  in all", stages.total().to_string()).expect("text has room");
    text
}
