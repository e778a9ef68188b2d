//! Scheduler: runs one engine at a time, which uses the contexts and the bus.
//!
//! Commands have priority. Then arrived packets alternate with send queues that have work; send queues are
//! served round-robin, a packet each. All engines share one PCI bus, so running several at a time would gain
//! nothing and make accesses to rows race (decision 0060).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

hdl::fsm! {
    /// Scheduler.
    pub enum State in scheduler_pkg {
        /// Looks for work.
        Idle => [
            Command: "command",
            Receive: "packet, alone or its turn",
            Send: "send queue, alone or its turn",
            Idle: "otherwise",
        ],
        /// A command runs.
        Command => [Idle: "done", Command: "otherwise"],
        /// The receive engine handles a packet.
        Receive => [Idle: "done", Receive: "otherwise"],
        /// The send engine serves a send queue.
        Send => [Idle: "done", Send: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the scheduler.
    pub struct In in scheduler_pkg {
        /// The engines are enabled; commands run regardless.
        enable: bool,
        /// Send queues that get work, a bit each.
        posted: u64,
        /// Receive queues that get WQEs, a bit each; work for queue pairs in the error state alone.
        refilled: u64,
        /// Queue pairs that enter the error state, a bit each; their WQEs are to be flushed.
        breaks: u64,
        /// Queue pairs that are set up anew, a bit each.
        mends: u64,
        /// The send queue that is served has more work.
        again: bool,
        /// A command is waiting.
        command: bool,
        /// A packet is waiting.
        packet: bool,
        /// The transmitter has a free slot.
        free: bool,
        /// The running engine is done.
        done: bool,
    }
}

hdl::bundle! {
    /// Output pins of the scheduler.
    pub struct Out in scheduler_pkg {
        /// Runs a command.
        command: bool,
        /// Runs the receive engine.
        receive: bool,
        /// The send engine serves a send queue.
        send: bool,
        /// Queue pair of the send queue; 0 to 63.
        pair: u8 : 6,
    }
}

hdl::bundle! {
    /// Registers of the scheduler.
    pub struct Scheduler in scheduler_pkg {
        /// Engine that runs.
        state: State,
        /// Send queues that may have work, a bit each.
        work: u64,
        /// Queue pairs in the error state, a bit each; the send engine flushes both of their queues.
        broken: u64,
        /// Queue pair whose send queue is served, or was served last.
        pair: u8 : 6,
        /// Queue pairs below that one, a bit each; a cycle later.
        below: u64 : 63,
        /// The receive engine ran last.
        received: bool,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/scheduler_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Scheduler {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out { command: q.state == Command, receive: q.state == Receive, send: q.state == Send, pair: q.pair }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle && self.work == 0 { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Scheduler {
    #[inline(always)]
    fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;

        // Next queue with work, round-robin: the lowest one above the last, or else the lowest of all.
        let above = q.work & !(q.below << 1 | 1);
        let next = if above != 0 { above } else { q.work };
        let next = Self::WIDTHS.pair.wrap(next.trailing_zeros());
        let sends = pins.enable && pins.free && q.work != 0;
        let receives = pins.enable && pins.packet;

        match q.state {
            // Idle: packets and send queues alternate.
            Idle => {
                if pins.command {
                    d.state = Command;
                } else if receives && !(sends && q.received) {
                    d.received = true;
                    d.state = Receive;
                } else if sends {
                    d.received = false;
                    d.pair = next;
                    d.work = q.work & !(1 << next);
                    d.state = Send;
                }
            }
            Command | Receive => {
                if pins.done {
                    d.state = Idle;
                }
            }
            // Send: a queue with more work goes to the end of the round.
            Send => {
                if pins.done {
                    if pins.again {
                        d.work = q.work | 1 << q.pair;
                    }
                    d.state = Idle;
                }
            }
        }
        d.work |= pins.posted | pins.breaks | pins.refilled & q.broken;
        d.below = (1 << q.pair) - 1;
        d.broken = q.broken & !pins.mends | pins.breaks;
    }
}

impl Probe for Scheduler {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: In = In {
        enable: true,
        posted: 0,
        refilled: 0,
        breaks: 0,
        mends: 0,
        again: false,
        command: false,
        packet: false,
        free: true,
        done: false,
    };

    fn after(scheduler: Scheduler, pins: In) -> Scheduler {
        let mut scheduler = scheduler;
        scheduler.tick(&pins);
        scheduler
    }

    fn idle(work: u64, pair: u8) -> Scheduler {
        Scheduler { work, pair, below: (1 << pair) - 1, ..Scheduler::default() }
    }

    #[test]
    fn command_goes_first_also_while_the_adapter_is_stopped() {
        let pins = In { command: true, packet: true, ..READY };
        assert_eq!(after(idle(1, 0), pins).state, State::Command);
        assert_eq!(after(idle(1, 0), In { enable: false, ..pins }).state, State::Command);
        let stopped = In { enable: false, packet: true, ..READY };
        assert_eq!(after(idle(1, 0), stopped), idle(1, 0));
    }

    #[test]
    fn packets_and_send_queues_take_turns() {
        let pins = In { packet: true, done: true, again: true, ..READY };
        let mut scheduler = idle(1 << 9, 0);
        for _ in 0..3 {
            scheduler = after(scheduler, pins);
            let out = scheduler.outputs();
            assert!(out.receive && !out.send && !out.command);
            scheduler = after(after(scheduler, pins), pins);
            let out = scheduler.outputs();
            assert!(out.send && !out.receive && !out.command);
            assert_eq!(out.pair, 9);
            scheduler = after(scheduler, pins);
        }
        // If one of them has no work, the other one runs again.
        let received = Scheduler { received: true, ..idle(0, 0) };
        assert_eq!(after(received, pins).state, State::Receive);
        let full = In { free: false, ..pins };
        assert_eq!(after(Scheduler { received: true, ..idle(1, 0) }, full).state, State::Receive);
        assert_eq!(after(Scheduler { received: false, ..idle(1, 0) }, READY).state, State::Send);
    }

    #[test]
    fn send_queues_go_round() {
        for last in 0..64_u8 {
            for work in [1_u64, 1 << 63, 1 << 63 | 1, 0x5a5a << 20, u64::MAX] {
                let next =
                    (1..=64).map(|step| (last + step) & 0x3f).find(|&pair| work >> pair & 1 == 1).unwrap();
                let sends = after(idle(work, last), READY);
                assert_eq!((sends.state, sends.pair, sends.work), (State::Send, next, work & !(1 << next)));
            }
        }
    }

    #[test]
    fn receive_queue_is_work_in_the_error_state_alone() {
        let refilled = In { enable: false, refilled: 0x18, ..READY };
        assert_eq!(after(idle(0, 0), refilled).work, 0);
        let broken = after(idle(0, 0), In { enable: false, breaks: 0x30, ..READY });
        assert_eq!((broken.broken, broken.work), (0x30, 0x30));
        let flushes = after(Scheduler { work: 0, ..broken }, refilled);
        assert_eq!((flushes.broken, flushes.work), (0x30, 0x10));
        // A queue pair that is set up anew works; one that breaks in the same cycle does not.
        let mended = after(broken, In { enable: false, mends: 0x10, ..READY });
        assert_eq!(mended.broken, 0x20);
        assert_eq!(after(broken, In { enable: false, mends: 0x10, breaks: 0x10, ..READY }).broken, 0x30);
    }

    #[test]
    fn queues_with_more_work_stay_in_the_round() {
        let sends = Scheduler { state: State::Send, ..idle(1, 5) };
        assert_eq!(after(sends, READY), sends);
        assert_eq!(after(sends, In { again: true, ..READY }).work, 1, "it is not done yet");
        let done = after(sends, In { done: true, ..READY });
        assert_eq!((done.state, done.work), (State::Idle, 1));
        let again = after(sends, In { done: true, again: true, ..READY });
        assert_eq!((again.state, again.work), (State::Idle, 1 | 1 << 5));
        for state in [State::Idle, State::Command, State::Receive, State::Send] {
            let posted = after(Scheduler { state, ..idle(0, 0) }, In { posted: 0x8421, ..READY });
            assert_eq!((posted.state, posted.work), (state, 0x8421));
        }
        // A doorbell that comes as its queue is served, or while it has its turn, is for another turn.
        let served = after(idle(1 << 5, 0), In { posted: 1 << 5, ..READY });
        assert_eq!((served.state, served.pair, served.work), (State::Send, 5, 1 << 5));
        let rung = after(sends, In { done: true, posted: 1 << 5, ..READY });
        assert_eq!((rung.state, rung.work), (State::Idle, 1 | 1 << 5));
        for state in [State::Command, State::Receive] {
            let works = Scheduler { state, ..idle(0, 0) };
            assert_eq!(after(works, In { done: true, again: true, ..READY }), idle(0, 0));
        }
    }
}
