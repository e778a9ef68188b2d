//! The processor below the library and the time of library steps on it.

use std::future::poll_fn;
use std::task::Poll;

use cluster::host::Call;
use cluster::{Cpu, Duration, Looking, Time};

/// Time of library steps.
///
/// | Step | Cost |
/// |---|---|
/// | a call | call |
/// | comparing a list entry with an envelope | entry |
/// | building a packet, before the carrier takes it | build |
/// | the books on a packet that the carrier has taken | sent |
/// | a packet that the carrier hands over | received |
/// | a turn of a loop that waits or tests | one look |
/// | copying data from a packet or from the buffer of unexpected messages | its words |
/// | combining an operand in place | its words: two loads and a store, as many as a copy with write allocation |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Load, compare and branch.
    pub look: Duration,
    /// Copying or combining a word of 4 bytes.
    pub word: Duration,
    /// Beginning a send, a receive or an access of a window.
    pub call: Duration,
    /// Building a packet.
    pub build: Duration,
    /// The books on a packet after it has left.
    pub sent: Duration,
    /// A packet received, without matching.
    pub received: Duration,
    /// Comparing a list entry with an envelope.
    pub entry: Duration,
}

impl Costs {
    /// Library steps take no time.
    pub const FREE: Costs = Costs::of_looks(Duration::ZERO, Duration::ZERO);

    /// Every step but copies costs one look; a packet that is sent has it after it has left.
    pub const fn of_looks(look: Duration, word: Duration) -> Costs {
        Costs { look, word, call: look, build: Duration::ZERO, sent: look, received: look, entry: look }
    }

    /// Time to copy or combine `bytes`, in whole words.
    pub fn bytes(&self, bytes: usize) -> Duration {
        self.word * bytes.div_ceil(4) as u64
    }
}

/// Processor of a rank with its costs. Clones are the same processor.
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

    /// A processor without virtual time: computing yields to the other processes once.
    pub fn timeless() -> Host {
        Host { cpu: None, costs: Costs::of_looks(Duration::from_ps(1), Duration::ZERO) }
    }

    /// Time of library steps on this processor.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// Current time; always zero without virtual time.
    pub fn now(&self) -> Time {
        self.cpu.as_ref().map_or(Time::ZERO, Cpu::now)
    }

    /// Records a mark for the stages of a latency. Takes no time.
    pub fn mark(&self, name: &'static str) {
        if let Some(cpu) = &self.cpu {
            cpu.mark(name);
        }
    }

    /// Tells an observer that the program is in a function of the library until the result is dropped. Takes no time.
    pub(crate) fn call(&self, function: &'static str) -> Option<Call> {
        self.cpu.as_ref()?.call(function)
    }

    /// Begins a polling loop for fast-forwarding; `None` without virtual time.
    pub(crate) fn looking(&self) -> Option<Looking> {
        self.cpu.as_ref().map(Looking::begin)
    }

    /// Computes for `duration`.
    pub async fn compute(&self, duration: Duration) {
        match &self.cpu {
            _ if duration == Duration::ZERO => {}
            Some(cpu) => cpu.compute(duration).await,
            None => turn().await,
        }
    }
}

/// Yields to other tasks once.
pub(crate) async fn turn() {
    let mut had = false;
    poll_fn(|_| if std::mem::replace(&mut had, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}
