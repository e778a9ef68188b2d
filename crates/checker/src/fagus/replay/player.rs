//! The program of a node in a replay.

use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

use ::fagus::{Dsm, Error, Shared};

use super::super::world::Op;
use super::log::{Event, Log};
use super::script::{Cue, Script};

/// A node at the end of the replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeEnding {
    /// The node owned the object when the last step of the script was done.
    pub owned: bool,
    /// The value that it read when all programs had ended.
    pub read: u32,
}

/// Runs the program of a node with its steps at their times, and then reads the object.
pub async fn play(dsm: Dsm, script: &Script, log: Rc<Log>) -> Result<NodeEnding, Error> {
    let (node, nodes) = (dsm.node(), dsm.nodes());
    // An element for each node, which is the home of its own.
    let numbers: Shared<[u32]> = dsm.shared("x", nodes).await?;
    let home = usize::from(script.home);
    let x: Range<usize> = home..home + 1;
    let cues = script
        .steps
        .iter()
        .enumerate()
        .filter(|(_, step)| [Cue::Begin(node), Cue::End(node)].contains(&step.cue));
    let mut times = cues.map(|(number, _)| script.time_of(number));
    // Steps beyond the script run when all messages may arrive.
    let mut next = || times.next().unwrap_or(script.time_of(script.steps.len()));
    let mut steps = script.programs[node].iter();
    let last = script.time_of(script.steps.len());
    let mut owned = None;
    // The steps of the script, then the look at the owner, then the rest of the program.
    loop {
        let begin = next();
        if begin >= last && owned.is_none() {
            until(&dsm, last).await?;
            owned = Some(numbers.is_own(x.clone())?);
        }
        let Some(op) = steps.next() else { break };
        until(&dsm, begin).await?;
        match op {
            Op::Read(_) => {
                let guard = numbers.read(x.clone()).await?;
                until(&dsm, next()).await?;
                drop(guard);
            }
            Op::Write(_) => {
                let mut guard = numbers.write(x.clone()).await?;
                log.note(dsm.now(), Event::Writes(guard[0]));
                until(&dsm, next()).await?;
                guard[0] += 1;
                log.note(dsm.now(), Event::HasWritten);
            }
            Op::Push(_, to) => numbers.push(x.clone(), (*to).into())?,
            Op::Lock | Op::Unlock | Op::Barrier => unreachable!("no hazard is about these"),
        }
    }
    until(&dsm, script.end()).await?;
    dsm.barrier().await?;
    let read = numbers.read(x).await?[0];
    Ok(NodeEnding { owned: owned.unwrap_or(false), read })
}

async fn until(dsm: &Dsm, time: Duration) -> Result<(), Error> {
    dsm.compute(time.saturating_sub(dsm.now())).await
}
