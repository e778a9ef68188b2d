//! Commands: writes the row of a context that the host has staged (decision 0060), or reports the progress of a
//! queue pair (decision 0080).
//!
//! A new queue starts with counts of 0, in its row and in its doorbell; doorbell writes by the host take
//! precedence. No engine runs during a command, so none sees half a row.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::contexts::{CQ_BELLS, Kind, RECEIVE_BELLS, SEND_BELLS, SHARED_BELLS};

hdl::fsm! {
    /// Commands.
    pub enum State in command_pkg {
        /// Waits for a command.
        Idle => [Read: "start, report", Write: "start, row to write", Idle: "otherwise"],
        /// Writes the row.
        Write => [
            SendBell: "queue pair, or its send queue",
            QueueBell: "completion queue or shared receive queue",
            Done: "otherwise",
        ],
        /// Clears the doorbell of the send queue.
        SendBell => [
            ReceiveBell: "no doorbell write by the host, both queues",
            Done: "no doorbell write, send queue alone",
            SendBell: "otherwise",
        ],
        /// Clears the doorbell of the receive queue.
        ReceiveBell => [Done: "no doorbell write by the host", ReceiveBell: "otherwise"],
        /// Clears the doorbell of the completion queue, or of the shared receive queue.
        QueueBell => [Done: "no doorbell write by the host", QueueBell: "otherwise"],
        /// Reads the rows of a queue pair.
        Read => [Report],
        /// Stores its progress in the staging words.
        Report => [Done],
        /// Reports that the command is done.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the commands.
    pub struct In in command_pkg {
        /// Starts a command; ignored outside `Idle`.
        start: bool,
        /// Effect of the command, a `context_pkg::Kind`.
        kind: u8 : 4,
        /// Number of the row.
        row: u16 : 12,
        /// The host writes a doorbell in this cycle.
        bell_write: bool,
    }
}

hdl::bundle! {
    /// Output pins of the commands.
    pub struct Out in command_pkg {
        /// Writes the attributes of a queue pair.
        attributes_write: bool,
        /// Resets the row of its send queue.
        send_reset: bool,
        /// Resets the rows of its receive queue.
        receive_reset: bool,
        /// Writes the row of a completion queue.
        queue_write: bool,
        /// Writes the row of a key.
        key_write: bool,
        /// Writes the row of a shared receive queue.
        shared_write: bool,
        /// Writes the limit of a shared receive queue.
        limit_write: bool,
        /// Writes the queue pairs of a multicast group.
        group_write: bool,
        /// Number of the row.
        row: u16 : 12,
        /// Clears a doorbell, unless `bell_write`.
        bell_clear: bool,
        /// Doorbell to clear: 0 to 255 of send queues, 256 to 511 of receive queues, 512 to 515 of shared receive
        /// queues, 768 to 1,023 of completion queues.
        bell: u16 : 10,
        /// Reads the rows of a queue pair.
        load: bool,
        /// Stores the progress of the queue pair in the staging words.
        report: bool,
        /// The command is done; high for one cycle.
        done: bool,
    }
}

hdl::bundle! {
    /// Registers of the commands.
    pub struct Command in command_pkg {
        /// Step of the command; `Idle` between commands.
        state: State,
        /// Effect of the command, a `context_pkg::Kind`.
        kind: u8 : 4,
        /// Number of the row.
        row: u16 : 12,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/command_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Command {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let is = |kind: Kind| q.kind == kind.code();
        let writes = |kind: Kind| q.state == Write && is(kind);
        let bell = match q.state {
            ReceiveBell => RECEIVE_BELLS | q.row & 0xff,
            QueueBell if is(Kind::SharedQueue) => SHARED_BELLS | q.row & 3,
            QueueBell => CQ_BELLS | q.row & 0xff,
            _ => SEND_BELLS | q.row & 0xff,
        };
        Out {
            attributes_write: writes(Kind::Pair) || writes(Kind::Sender) || writes(Kind::Change),
            send_reset: writes(Kind::Pair) || writes(Kind::Sender),
            receive_reset: writes(Kind::Pair),
            queue_write: writes(Kind::Completion),
            key_write: writes(Kind::Area),
            shared_write: writes(Kind::SharedQueue),
            limit_write: writes(Kind::Limit),
            group_write: writes(Kind::Group),
            row: q.row,
            bell_clear: matches!(q.state, SendBell | ReceiveBell | QueueBell),
            bell,
            load: q.state == Read,
            report: q.state == Report,
            done: q.state == Done,
        }
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
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Command {
    #[inline(always)]
    fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;

        match q.state {
            // Idle: the scheduler starts a command when no engine runs.
            Idle => {
                if pins.start {
                    d.kind = pins.kind;
                    d.row = pins.row;
                    d.state = if pins.kind == Kind::Report.code() { Read } else { Write };
                }
            }
            // Write: a row is one word of its memory.
            Write => {
                d.state = match Kind::from_code(q.kind) {
                    Some(Kind::Pair | Kind::Sender) => SendBell,
                    Some(Kind::Completion | Kind::SharedQueue) => QueueBell,
                    _ => Done,
                }
            }
            // SendBell, ReceiveBell, QueueBell: doorbell writes by the host take precedence.
            SendBell => {
                if !pins.bell_write {
                    d.state = if q.kind == Kind::Pair.code() { ReceiveBell } else { Done };
                }
            }
            ReceiveBell | QueueBell => {
                if !pins.bell_write {
                    d.state = Done;
                }
            }
            // Read: the rows arrive in the next cycle.
            Read => d.state = Report,
            Report => d.state = Done,
            Done => d.state = Idle,
        }
    }
}

impl Probe for Command {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outputs of a command in each cycle after `Idle`; the host writes doorbells in the first `busy` cycles.
    fn carry_out(kind: u8, busy: usize) -> Vec<Out> {
        let mut command = Command::default();
        command.tick(&In { start: true, kind, row: 0xea, bell_write: false });
        let mut seen = Vec::new();
        while command.state != State::Idle {
            seen.push(command.outputs());
            command.tick(&In { bell_write: seen.len() <= busy, ..In::default() });
        }
        seen
    }

    fn bells(seen: &[Out]) -> Vec<u16> {
        seen.iter().filter(|out| out.bell_clear).map(|out| out.bell).collect()
    }

    #[test]
    fn command_writes_the_row_then_clears_its_doorbells() {
        // Attributes, row of the send queue, rows of the receive queue; completion queue, key, shared receive queue
        // and its limit, multicast group.
        let cases: [(u8, [u8; 8], &[u16]); 8] = [
            (Kind::Pair.code(), [1, 1, 1, 0, 0, 0, 0, 0], &[0x0ea, 0x1ea]),
            (Kind::Sender.code(), [1, 1, 0, 0, 0, 0, 0, 0], &[0x0ea]),
            (Kind::Change.code(), [1, 0, 0, 0, 0, 0, 0, 0], &[]),
            (Kind::Completion.code(), [0, 0, 0, 1, 0, 0, 0, 0], &[0x3ea]),
            (Kind::Area.code(), [0, 0, 0, 0, 1, 0, 0, 0], &[]),
            (Kind::SharedQueue.code(), [0, 0, 0, 0, 0, 1, 0, 0], &[0x202]),
            (Kind::Limit.code(), [0, 0, 0, 0, 0, 0, 1, 0], &[]),
            (Kind::Group.code(), [0, 0, 0, 0, 0, 0, 0, 1], &[]),
        ];
        let written = |out: &Out| {
            let pair = [out.attributes_write, out.send_reset, out.receive_reset];
            let others = [out.queue_write, out.key_write, out.shared_write, out.limit_write, out.group_write];
            let mut all = [0; 8];
            all[..3].copy_from_slice(&pair.map(u8::from));
            all[3..].copy_from_slice(&others.map(u8::from));
            all
        };
        for (kind, writes, cleared) in cases {
            let seen = carry_out(kind, 0);
            assert_eq!(written(&seen[0]), writes, "{kind}");
            assert!(seen.iter().all(|out| out.row == 0xea && !out.load && !out.report));
            assert!(seen[1..].iter().all(|out| written(out) == [0; 8]));
            assert_eq!(bells(&seen), cleared);
            assert_eq!(seen.len(), 1 + cleared.len() + 1);
            assert!(seen.iter().map(|out| out.done).eq((1..=seen.len()).map(|cycle| cycle == seen.len())));
        }
    }

    #[test]
    fn report_reads_the_rows_and_writes_none() {
        let seen = carry_out(Kind::Report.code(), 0);
        let steps: Vec<_> = seen.iter().map(|out| (out.load, out.report, out.done)).collect();
        assert_eq!(steps, [(true, false, false), (false, true, false), (false, false, true)]);
        assert!(seen.iter().all(|out| out.row == 0xea && !out.attributes_write && !out.bell_clear));
    }

    #[test]
    fn doorbell_of_the_host_goes_first() {
        let seen = carry_out(Kind::Pair.code(), 4);
        assert_eq!(bells(&seen), [0x0ea, 0x0ea, 0x0ea, 0x0ea, 0x1ea]);
        let seen = carry_out(Kind::Completion.code(), 3);
        assert_eq!(bells(&seen), [0x3ea; 3]);
    }
}
