//! Patterns in a closed loop: a sender waits for answers.

use hdl::Stimulus;

use super::{HotSpot, Pattern, PatternError};
use crate::schedule::{Kind, Moment, OperationsBuilder, Problem, Schedule, Setting};

/// Load of a closed loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosedLoop {
    /// Length of a message in bytes. An answer has the least length of the primitive, or one byte more if the
    /// message has that.
    pub bytes: u64,
    /// Messages that a sender may have without answer.
    pub window: u64,
    /// Number of messages of each sender.
    pub messages: u64,
    /// Seed of receivers.
    pub seed: u64,
    /// Preferred receiver, for a hot spot.
    pub hot: HotSpot,
}

/// A message of a sender, by their numbers, with the operations of its send and of the send of its answer.
struct Exchange {
    from: u32,
    to: u32,
    send: u32,
    answer: u32,
}

/// Tags of messages and of answers.
const MESSAGE: u32 = 0;
const ANSWER: u32 = 1;

impl Pattern {
    /// Messages of the pattern in a closed loop. Each receiver answers a message when it has seen it.
    pub fn closed(self, load: &ClosedLoop, setting: &Setting) -> Result<Schedule, PatternError> {
        self.check(load.hot, setting)?;
        if load.window == 0 {
            return Err(PatternError::Window);
        }
        let carries = setting.carried(setting.primitive, load.bytes)?;
        let (least, _) = carries.into_inner();
        let answer = if load.bytes == least { least + 1 } else { least };
        setting.carried(setting.primitive, answer)?;
        let mut exchanges = self.exchanges(load, setting)?;
        let mut of_receiver = vec![Vec::new(); setting.nodes];
        let mut of_sender = vec![Vec::new(); setting.nodes];
        for (number, exchange) in exchanges.iter().enumerate() {
            of_sender[exchange.from as usize].push(number);
            of_receiver[exchange.to as usize].push(number);
        }
        let mut builder = OperationsBuilder::new(setting);
        for node in 0..setting.nodes as u32 {
            let mut answered = Vec::new();
            for (place, &number) in of_sender[node as usize].iter().enumerate() {
                let to = exchanges[number].to;
                let send = builder.add(node, Kind::Send { to, tag: MESSAGE, bytes: load.bytes }, 0)?;
                exchanges[number].send = send;
                if let Some(before) = place.checked_sub(load.window as usize) {
                    builder.depend(send, answered[before], Moment::End);
                }
                let receive = Kind::Receive { from: to, tag: Some(ANSWER), bytes: answer };
                answered.push(builder.add(node, receive, 0)?);
            }
            for &number in &of_receiver[node as usize] {
                let from = exchanges[number].from;
                let receive = Kind::Receive { from, tag: Some(MESSAGE), bytes: load.bytes };
                let receive = builder.add(node, receive, 0)?;
                let send = builder.add(node, Kind::Send { to: from, tag: ANSWER, bytes: answer }, 0)?;
                builder.depend(send, receive, Moment::End);
                exchanges[number].answer = send;
            }
        }
        let schedule = builder.finish().map_err(|found| found.problem)?;
        Ok(schedule.answered(exchanges.iter().map(|exchange| (exchange.send, exchange.answer))))
    }

    /// Messages of all senders, whose operations are still unknown.
    fn exchanges(self, load: &ClosedLoop, setting: &Setting) -> Result<Vec<Exchange>, PatternError> {
        let nodes = setting.nodes as u64;
        let mut seeds = Stimulus::new(load.seed);
        let mut exchanges = Vec::new();
        for from in 0..nodes {
            let mut random = Stimulus::new(seeds.word());
            for number in 0..load.messages {
                let Some(to) = self.receiver(from, nodes, number, load.hot, &mut random) else { break };
                if exchanges.len() == crate::MOST_MESSAGES / 4 {
                    return Err(Problem::TooMany.into());
                }
                exchanges.push(Exchange { from: from as u32, to: to as u32, send: 0, answer: 0 });
            }
        }
        Ok(exchanges)
    }
}
