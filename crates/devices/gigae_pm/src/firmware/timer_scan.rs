//! Timer scan: visits the control structures one at a time, to check their timers (rule S2) and to
//! send pending GOs (rule R-GO).
//!
//! The paper has one timer per control structure, but the NIC has a single clock: one structure is
//! visited every `scan_period` cycles, through all nodes and channels. Time stops while no message
//! waits for an ACK, because no timer can expire then. When a channel that discards has room again,
//! all its nodes are visited.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::pins::Request;
use crate::protocol::{receiver, sender};
use crate::registers::Configuration;

hdl::fsm! {
    /// Visit of a control structure.
    pub enum State in timer_scan_pkg {
        /// Waits to be started.
        Idle => [
            Timer: "start, scan of timers due",
            Room: "start, only a GO due",
            Idle: "otherwise",
        ],
        /// Starts the rule of an expired timer.
        Timer => [Visit],
        /// Starts the rule for a GO.
        Room => [Visit],
        /// Waits for the end of the rule.
        Visit => [Done: "rule done", Visit: "otherwise"],
        /// Moves on to the next node.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the timer scan.
    pub struct In in timer_scan_pkg {
        /// Starts a visit; only while idle.
        start: bool,
        /// Parameters set by the kernel.
        configuration: Configuration,
        /// A message waits for an ACK.
        outstanding: bool,
        /// Channels that discard messages.
        discarding: u8 : 4,
        /// Slots of the receive rings that the host holds.
        held: u32 : 25,
        /// The rule was applied.
        rule_done: bool,
    }
}

hdl::bundle! {
    /// Output pins of the timer scan.
    pub struct Out in timer_scan_pkg {
        /// A visit is due.
        wanted: bool,
        /// The rule to apply.
        request: Request,
        /// Starts the rule; high for one cycle.
        rule_start: bool,
        /// The visit is over.
        done: bool,
        /// Time in cycles.
        now: u32,
    }
}

hdl::bundle! {
    /// Registers of the timer scan.
    pub struct TimerScan in timer_scan_pkg {
        /// Step of the visit.
        state: State,
        /// Time in cycles.
        now: u32,
        /// Cycles since the last visit was due.
        period: u16,
        /// A visit is due.
        due: bool,
        /// Channel to visit next.
        channel: u8 : 2,
        /// Node to visit next.
        node: u16 : 10,
        /// GOs are being sent to the nodes of a channel.
        going: bool,
        /// Channel whose nodes get GOs.
        going_channel: u8 : 2,
        /// With `going`: next node.
        going_node: u16 : 10,
        /// The current visit is for a GO.
        tells: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/firmware/timer_scan_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for TimerScan {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let room = q.state == Room;
        Out {
            wanted: q.due || q.going,
            request: Request {
                receives: room,
                cause: if room { receiver::Cause::Room.code() } else { sender::Cause::Timer.code() },
                channel: if room { q.going_channel } else { q.channel },
                node: if room { q.going_node } else { q.node },
                ..Request::default()
            },
            rule_start: matches!(q.state, Timer | Room),
            done: q.state == Done,
            now: q.now,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        let waits = matches!(self.state, State::Idle | State::Visit);
        let rest = waits && !self.due && !self.going && self.period == 0;
        if rest { Quiet::UntilInput } else { Quiet::Busy }
    }

    fn skip(&mut self, cycles: u64) {
        self.now = self.now.wrapping_add(cycles as u32);
        self.period += cycles as u16;
    }
}

impl TimerScan {
    /// Whether no visit is in progress.
    #[inline(always)]
    pub(super) fn is_idle(&self) -> bool {
        self.state == State::Idle
    }

    /// Cycles for which the scan only counts while a message waits for an ACK.
    #[inline]
    pub(super) fn counts(&self, scan_period: u16) -> Quiet {
        let waits = matches!(self.state, State::Idle | State::Visit);
        if waits && self.period < scan_period {
            Quiet::For((scan_period - self.period).into())
        } else {
            Quiet::Busy
        }
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let (next_node, last_node) = pins.after(q.node);
        let (next_going, last_going) = pins.after(q.going_node);

        if pins.outstanding {
            d.now = q.now.wrapping_add(1);
            let over = q.period >= pins.configuration.scan_period;
            d.period = if over { 0 } else { q.period + 1 };
            d.due = q.due || over;
        } else {
            d.period = 0;
            d.due = false;
        }
        if !q.going
            && let Some(channel) = (0..4).find(|&channel| pins.has_room(channel))
        {
            d.going = true;
            d.going_channel = channel;
            d.going_node = 0;
        }

        match q.state {
            // Idle: timers have priority over GOs.
            Idle => {
                if pins.start {
                    d.tells = !q.due;
                    d.state = if q.due { Timer } else { Room };
                }
            }
            // Timer: the rule decides whether the timer has expired.
            Timer => {
                d.due = false;
                d.state = Visit;
            }
            // Room: the rule decides whether a GO is due.
            Room => d.state = Visit,
            // Visit: the rule may send frames.
            Visit => {
                if pins.rule_done {
                    d.state = Done;
                }
            }
            // Done: continues with the next node, then with the next channel.
            Done => {
                if q.tells {
                    d.going_node = if last_going { 0 } else { Self::WIDTHS.going_node.wrap(next_going) };
                    d.going = !last_going;
                } else {
                    d.node = if last_node { 0 } else { Self::WIDTHS.node.wrap(next_node) };
                    d.channel = (q.channel + u8::from(last_node)) & 3;
                }
                d.state = Idle;
            }
        }
        d
    }
}

impl In {
    /// The node after `node`, and whether `node` is the last one.
    #[inline(always)]
    fn after(&self, node: u16) -> (u16, bool) {
        (node + 1, node + 1 >= self.configuration.nodes)
    }

    /// Whether a channel discards messages although its ring has room again.
    #[inline(always)]
    fn has_room(&self, channel: u8) -> bool {
        let free = 16u8.wrapping_sub((self.held >> (5 * channel)) as u8 & 0x1f) & 0x1f;
        self.discarding >> channel & 1 == 1 && free >= self.configuration.room
    }
}

impl Probe for TimerScan {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pins() -> In {
        let configuration = Configuration { nodes: 3, room: 4, scan_period: 9, ..Configuration::default() };
        In { configuration, outstanding: true, ..In::default() }
    }

    /// Lets the scan visit the next control structure and returns the rule's request.
    fn visit(scan: &mut TimerScan, pins: In) -> Request {
        assert!(scan.outputs().wanted);
        scan.tick(&In { start: true, ..pins });
        let out = scan.outputs();
        assert!(out.rule_start);
        scan.tick(&pins);
        assert!(!scan.outputs().rule_start);
        // For a rule of any duration.
        (0..3).for_each(|_| scan.tick(&pins));
        assert!(!scan.outputs().done);
        scan.tick(&In { rule_done: true, ..pins });
        assert!(scan.outputs().done);
        scan.tick(&pins);
        assert!(scan.is_idle());
        out.request
    }

    #[test]
    fn visit_is_due_once_a_period_while_a_message_is_outstanding() {
        let mut scan = TimerScan::default();
        for _ in 0..9 {
            scan.tick(&pins());
            assert!(!scan.outputs().wanted);
        }
        scan.tick(&pins());
        assert!(scan.outputs().wanted);
        assert_eq!(scan.outputs().now, 10);
        // Without outstanding messages, time stops and no visit is due.
        scan.tick(&In { outstanding: false, ..pins() });
        assert!(!scan.outputs().wanted);
        assert_eq!((scan.outputs().now, scan.period), (10, 0));
    }

    #[test]
    fn time_goes_through_all_its_32_bits() {
        for now in [0x7fff_ffff, 0xffff_ffff] {
            let mut scan = TimerScan { now, ..TimerScan::default() };
            scan.tick(&pins());
            assert_eq!(scan.outputs().now, now.wrapping_add(1));
        }
    }

    #[test]
    fn timers_are_visited_node_by_node_then_channel_by_channel() {
        let mut scan = TimerScan::default();
        let mut visited = Vec::new();
        while visited.len() < 13 {
            while !scan.outputs().wanted {
                scan.tick(&pins());
            }
            let request = visit(&mut scan, pins());
            assert_eq!((request.receives, request.cause), (false, sender::Cause::Timer.code()));
            visited.push((request.channel, request.node));
        }
        let all: Vec<_> = (0..4).flat_map(|channel| (0..3).map(move |node| (channel, node))).collect();
        assert_eq!(visited[..12], all[..]);
        assert_eq!(visited[12], (0, 0));
    }

    #[test]
    fn nodes_have_numbers_of_ten_bits() {
        let configuration = Configuration { nodes: 1_024, ..pins().configuration };
        let pins = In { configuration, ..pins() };
        for node in [511, 1_023] {
            let mut scan = TimerScan { due: true, node, ..TimerScan::default() };
            assert_eq!(visit(&mut scan, pins).node, node);
            assert_eq!((scan.node, scan.channel), if node == 511 { (512, 0) } else { (0, 1) });
            let mut scan = TimerScan { going: true, going_node: node, ..TimerScan::default() };
            assert_eq!(visit(&mut scan, In { outstanding: false, ..pins }).node, node);
            assert_eq!((scan.going_node, scan.going), if node == 511 { (512, true) } else { (0, false) });
        }
    }

    #[test]
    fn nodes_of_a_channel_that_discards_are_told_once_there_is_room() {
        let held = |slots: u32| slots << 10 | 16 | 16 << 5 | 16 << 15;
        let idle = In { outstanding: false, discarding: 0b0100, ..pins() };
        let mut scan = TimerScan::default();
        (0..20).for_each(|_| scan.tick(&In { held: held(13), ..idle }));
        assert!(!scan.outputs().wanted, "three slots are not room enough");
        scan.tick(&In { held: held(12), ..idle });
        for node in 0..3 {
            // The rule of the first visit has ended discarding.
            let request = visit(&mut scan, In { discarding: 0, ..idle });
            assert_eq!((request.receives, request.cause), (true, receiver::Cause::Room.code()));
            assert_eq!((request.channel, request.node), (2, node));
        }
        assert!(!scan.outputs().wanted);
        // A channel that does not discard owes no GO.
        (0..20).for_each(|_| scan.tick(&In { discarding: 0b1011, held: held(0), ..idle }));
        assert!(!scan.outputs().wanted);
    }

    #[test]
    fn timer_goes_before_a_go() {
        let mut scan = TimerScan::default();
        let busy = In { discarding: 0b1000, ..pins() };
        while !scan.due {
            scan.tick(&busy);
        }
        assert!(scan.going);
        let slow = In { configuration: Configuration { scan_period: 1_000, ..busy.configuration }, ..busy };
        assert!(!visit(&mut scan, slow).receives);
        let request = visit(&mut scan, slow);
        assert_eq!((request.receives, request.channel), (true, 3));
    }
}
