//! Request Acceptor: fetches requests for the Request Executor (thesis section 5.3.1, figure 5.9).
//!
//! While the Executor runs one primitive, the next is fetched and waits, which shortens the gap between them.
//! The Acceptor alternates between the two Request FIFOs when both hold requests (decision 0008). A request
//! is transferred in the cycle in which `request_enable` and `executor_ready` are both high.
//!
//! The sizes of a request are computed while it is latched, because the RVS and VS modules need them in the
//! cycle in which they take the request (decision 0052).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::botf::{WINDOW_BYTES, WINDOW_LINES};
use crate::command::{Ex, LhsUpper, Lower, Upper};
use crate::primitive::{Primitive, is_ipush};
use crate::request::Request;

hdl::fsm! {
    /// Request Acceptor (figure 5.9).
    pub enum State in request_acceptor_pkg {
        /// Waits for a request in either FIFO.
        Nop => [Req: "request in either Request FIFO", Nop: "no request in either Request FIFO"],
        /// Reads the chosen FIFO.
        Req => [ReqIn],
        /// Latches the FIFO's output.
        ReqIn => [Wait],
        /// Waits for the Request Executor.
        Wait => [Nop: "Ack from Request Executor", Wait: "no Ack from Request Executor"],
    }
}

hdl::bundle! {
    /// Amount of data that a request of the RVS, RVL, IPUSH, VL or VS family moves.
    pub struct Sizes in request_acceptor_pkg {
        /// Bytes given by the command.
        command: u32,
        /// Bytes of the elements of Command Ex.
        elements: u16 : 15,
        /// `limit` applies.
        limited: bool,
        /// Most bytes moved: the elements of Command Ex and the lines of the Write Windows.
        limit: u16,
        /// Lines taken from the Write Windows, 0 to 64; at most those of the command.
        window_lines: u8 : 7,
        /// The request moves no data.
        nothing: bool,
        /// VS family: bytes from the source to the end of its Write Window.
        room: u16 : 10,
        /// VS: Size exceeds `room`.
        too_long: bool,
    }
}

hdl::bundle! {
    /// Input pins of the Request Acceptor.
    pub struct In in request_acceptor_pkg {
        /// The host Request FIFO is empty.
        host_empty: bool,
        /// Request taken from the host Request FIFO.
        host_request: Request,
        /// Command Ex of `host_request`.
        host_ex: u64,
        /// The remote Request FIFO is empty.
        remote_empty: bool,
        /// Request taken from the remote Request FIFO.
        remote_request: Request,
        /// Command Ex of `remote_request`.
        remote_ex: u64,
        /// The Request Executor can accept a request.
        executor_ready: bool,
    }
}

hdl::bundle! {
    /// Output pins of the Request Acceptor.
    pub struct Out in request_acceptor_pkg {
        /// Takes a request from the host Request FIFO.
        host_read_enable: bool,
        /// Takes a request from the remote Request FIFO.
        remote_read_enable: bool,
        /// Request for the Request Executor.
        request: Request,
        /// Command Ex of `request`.
        ex: u64,
        /// Amount of data that the request moves.
        sizes: Sizes,
        /// The request came from a remote node.
        remote: bool,
        /// `request` is valid; held until the Request Executor is ready.
        request_enable: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the Request Acceptor.
    pub struct RequestAcceptor in request_acceptor_pkg {
        /// State of the state machine.
        state: State,
        /// The remote FIFO is served now, or was served last.
        remote: bool,
        /// The latched request.
        request: Request,
        /// The latched Command Ex.
        ex: u64,
        /// Sizes of the latched request.
        sizes: Sizes,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/request_acceptor_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "WindowLines",
            width: 10,
            value: WINDOW_LINES as u64,
            doc: "Lines of a full Write Window.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(Sizes::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Bytes from `source`, rounded down to a multiple of 4, to the end of its Write Window.
#[inline]
pub fn room(source: u16) -> u16 {
    WINDOW_BYTES - (source & 0x1fc)
}

impl Sizes {
    /// Sizes of a request with its Command Ex.
    #[inline]
    pub fn of(request: &Request, ex: u64) -> Self {
        let (lower, ex) = (Lower::from_bits(request.lower), Ex::from_bits(ex));
        // Size, or the bytes of the elements. The data of an IPUSH is contiguous.
        let contiguous = is_ipush(lower.otype) || lower.otype & 3 == 0;
        let elements = u32::from(lower.iteration) << lower.dtype;
        // Lines that an LHSv2 takes from the Write Windows before SO-DIMM: whole lines, at most those of its
        // Size.
        let wanted = (LhsUpper::from_bits(request.upper).window_size / 8).min(WINDOW_LINES);
        let window_lines = match lower.otype == Primitive::LhsV2.code() {
            true => u32::from(wanted).min(lower.size_list_stride / 8) as u8,
            false => 0,
        };
        let of_ex = u16::from(ex.iteration) << ex.dtype;
        let room = room(Upper::from_bits(request.upper).srcoff as u16);
        let sizes = Self {
            command: if contiguous { lower.size_list_stride } else { elements },
            elements: of_ex,
            // The unassigned variant means contiguous.
            limited: !matches!(ex.otype & 3, 0 | 3),
            limit: of_ex + 8 * u16::from(window_lines),
            window_lines,
            nothing: false,
            room,
            too_long: lower.size_list_stride > u32::from(room),
        };
        Self { nothing: sizes.total() == 0, ..sizes }
    }

    /// Bytes of the whole transfer.
    #[inline]
    pub fn total(&self) -> u32 {
        if self.limited { self.command.min(self.limit.into()) } else { self.command }
    }
}

impl Clocked for RequestAcceptor {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            host_read_enable: q.state == Req && !q.remote,
            remote_read_enable: q.state == Req && q.remote,
            request: q.request,
            ex: q.ex,
            sizes: q.sizes,
            remote: q.remote,
            request_enable: q.state == Wait,
            state: q.state,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline(always)]
    fn waits(&self) -> bool {
        matches!(self.state, State::Nop | State::Wait)
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Nop { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl RequestAcceptor {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Nop: when both FIFOs hold requests, the one not served last is next.
            Nop => {
                if !pins.host_empty || !pins.remote_empty {
                    d.remote = !pins.remote_empty && (pins.host_empty || !q.remote);
                    d.state = Req;
                }
            }
            // Req: the FIFO answers in the next cycle.
            Req => d.state = ReqIn,
            // ReqIn: the output of the FIFO is valid, and so are the sizes derived from it.
            ReqIn => {
                d.request = if q.remote { pins.remote_request } else { pins.host_request };
                d.ex = if q.remote { pins.remote_ex } else { pins.host_ex };
                d.sizes = Sizes::of(&d.request, d.ex);
                d.state = Wait;
            }
            // Wait: the Executor latches the request when it dispatches it.
            Wait => {
                if pins.executor_ready {
                    d.state = Nop;
                }
            }
        }
        d
    }
}

impl Probe for RequestAcceptor {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::State::*;
    use super::*;

    fn idle_pins() -> In {
        In { host_empty: true, remote_empty: true, ..In::default() }
    }

    fn request(lower: u64) -> Request {
        Request { lower, ..Request::default() }
    }

    fn acceptor_in_wait() -> RequestAcceptor {
        RequestAcceptor { state: Wait, request: request(5), ex: 6, ..RequestAcceptor::default() }
    }

    /// The FIFOs read, in order, while they hold `host` and `remote` requests and the Executor is ready.
    fn served(mut host: u32, mut remote: u32) -> String {
        let mut acceptor = RequestAcceptor::default();
        let mut order = String::new();
        while host + remote > 0 || acceptor.state != Nop {
            let out = acceptor.outputs();
            let pins = In {
                host_empty: host == 0,
                remote_empty: remote == 0,
                executor_ready: true,
                ..In::default()
            };
            acceptor.tick(&pins);
            if out.host_read_enable {
                host -= 1;
                order.push('h');
            }
            if out.remote_read_enable {
                remote -= 1;
                order.push('r');
            }
        }
        order
    }

    #[test]
    fn nop_both_fifos_empty_stays() {
        let mut acceptor = RequestAcceptor::default();
        acceptor.tick(&In { executor_ready: true, ..idle_pins() });
        assert_eq!(acceptor, RequestAcceptor::default());
    }

    #[test]
    fn nop_both_fifos_hold_requests_alternates() {
        assert_eq!(served(3, 3), "rhrhrh");
        assert_eq!(served(1, 4), "rhrrr");
        assert_eq!(served(4, 1), "rhhhh");
        assert_eq!(served(3, 0), "hhh");
    }

    #[test]
    fn req_reads_the_chosen_fifo_for_one_cycle() {
        for remote in [false, true] {
            let mut acceptor = RequestAcceptor::default();
            acceptor.tick(&In { host_empty: remote, remote_empty: !remote, ..In::default() });
            let out = acceptor.outputs();
            assert_eq!((out.state, out.host_read_enable, out.remote_read_enable), (Req, !remote, remote));
            acceptor.tick(&idle_pins());
            let out = acceptor.outputs();
            assert_eq!((out.state, out.host_read_enable, out.remote_read_enable), (ReqIn, false, false));
        }
    }

    #[test]
    fn req_in_latches_the_output_of_the_chosen_fifo() {
        for remote in [false, true] {
            let mut acceptor = RequestAcceptor { state: ReqIn, remote, ..RequestAcceptor::default() };
            acceptor.tick(&In {
                host_request: request(1),
                host_ex: 2,
                remote_request: request(3),
                remote_ex: 4,
                ..idle_pins()
            });
            let out = acceptor.outputs();
            let expected = if remote { (request(3), 4) } else { (request(1), 2) };
            assert_eq!((out.state, out.request_enable, out.remote), (Wait, true, remote));
            assert_eq!((out.request, out.ex), expected);
        }
    }

    /// Sizes of a request with these fields; the source lies at `srcoff` in its Write Window.
    fn sizes(lower: Lower, srcoff: u32, ex: Ex) -> Sizes {
        let upper = Upper { srcoff, dstoff: 0 }.bits();
        Sizes::of(&Request { lower: lower.bits(), upper, ..Request::default() }, ex.bits())
    }

    #[test]
    fn request_may_reach_the_end_of_its_window_and_no_further() {
        for srcoff in [0, 4, 8, 0x1f8, 0x1fc] {
            let room = 512 - srcoff;
            for (size, too_long) in
                [(0, false), (1, false), (room, false), (room + 1, true), (room + 4, true)]
            {
                let sizes = sizes(Lower::new(Primitive::Vs, size), srcoff, Ex::default());
                assert_eq!((sizes.room, sizes.too_long), (room as u16, too_long), "{size} at {srcoff}");
                assert_eq!((sizes.total(), sizes.nothing), (size, size == 0), "{size} at {srcoff}");
            }
        }
    }

    #[test]
    fn total_is_the_shorter_of_command_and_elements() {
        let lower = Lower::new(Primitive::Rvl, 64);
        for (otype, limited) in [(0, false), (1, true), (2, true), (3, false)] {
            for (iteration, total) in [(0, 0), (7, 56), (8, 64), (9, 64)] {
                let ex = Ex { otype, dtype: 3, iteration, ..Ex::default() };
                let sizes = sizes(lower, 0, ex);
                let total = if limited { total } else { 64 };
                assert_eq!((sizes.total(), sizes.nothing), (total, total == 0), "{iteration} of {otype}");
            }
        }
    }

    #[test]
    fn wait_executor_not_ready_holds_the_request() {
        let mut acceptor = acceptor_in_wait();
        acceptor.tick(&In { host_request: request(9), remote_request: request(9), ..In::default() });
        assert_eq!(acceptor, acceptor_in_wait());
    }

    #[test]
    fn wait_executor_ready_returns_to_nop() {
        let mut acceptor = acceptor_in_wait();
        acceptor.tick(&In { executor_ready: true, ..idle_pins() });
        assert_eq!(acceptor, RequestAcceptor { state: Nop, ..acceptor_in_wait() });
        assert!(!acceptor.outputs().request_enable);
    }

    #[test]
    fn declared_arcs_are_exactly_those_taken() {
        let mut walked = std::collections::BTreeSet::new();
        let mut acceptor = RequestAcceptor::default();
        for cycle in 0..64u32 {
            let from = acceptor.state;
            let pins = In {
                host_empty: cycle % 3 != 0,
                remote_empty: cycle % 5 != 0,
                executor_ready: cycle % 7 == 0,
                ..In::default()
            };
            acceptor.tick(&pins);
            if acceptor.state != from {
                walked.insert((from as u64, acceptor.state as u64));
            }
        }
        assert_eq!(walked, State::TABLE.arcs().collect());
    }
}
