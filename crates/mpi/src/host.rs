//! The processor that the library runs on, and what its steps cost there.

use std::future::poll_fn;
use std::task::Poll;

use cluster::{Cpu, Duration, Looking, Time};

/// What steps of the library cost. All that it does in host memory is one of the two.
///
/// | Step | Cost |
/// |---|---|
/// | a call | a look |
/// | comparing an entry of a list with an envelope, either way | a look |
/// | taking a packet in, or making one | a look |
/// | copying data out of a packet, or from where it waited | its words |
/// | combining an operand with another in place | its words: two loads and a store, as a copy has with the line it writes to |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A look at something: load, compare, branch.
    pub look: Duration,
    /// A word of 4 bytes, copied or combined.
    pub word: Duration,
}

impl Costs {
    /// Nothing costs anything.
    pub const FREE: Costs = Costs { look: Duration::ZERO, word: Duration::ZERO };

    /// What so many bytes cost, in whole words.
    pub fn bytes(&self, bytes: usize) -> Duration {
        self.word * bytes.div_ceil(4) as u64
    }
}

/// The processor of a rank, with its costs. Clones are the same processor.
#[derive(Clone)]
pub struct Host {
    cpu: Option<Cpu>,
    costs: Costs,
}

impl Host {
    /// A processor in virtual time.
    pub fn new(cpu: Cpu, costs: Costs) -> Host {
        Host { cpu: Some(cpu), costs }
    }

    /// A processor that lives by turns and not by time: computing lets the others have theirs.
    pub fn timeless() -> Host {
        Host { cpu: None, costs: Costs { look: Duration::from_ps(1), word: Duration::ZERO } }
    }

    /// What steps cost.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The present time; without time always its beginning.
    pub fn now(&self) -> Time {
        self.cpu.as_ref().map_or(Time::ZERO, Cpu::now)
    }

    /// Notes that the program has come here, for stages of a latency. Takes no time.
    pub fn mark(&self, name: &'static str) {
        if let Some(cpu) = &self.cpu {
            cpu.mark(name);
        }
    }

    /// A loop that waits begins; nothing without time.
    pub(crate) fn looking(&self) -> Option<Looking> {
        self.cpu.as_ref().map(Looking::begin)
    }

    /// Computes for a while.
    pub async fn compute(&self, duration: Duration) {
        match &self.cpu {
            _ if duration == Duration::ZERO => {}
            Some(cpu) => cpu.compute(duration).await,
            None => turn().await,
        }
    }
}

/// Lets others do something, once.
pub(crate) async fn turn() {
    let mut had = false;
    poll_fn(|_| if std::mem::replace(&mut had, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}
