//! Request FIFO: holds requests until the Request Acceptor takes them (thesis section 5.3, figure 5.8).
//!
//! The request and its Command Ex are stored separately. There are two Request FIFOs: one for the host, which
//! both processes share, and one for RVL requests from remote nodes. Depth and thresholds are not published;
//! decision 0008 chooses them.

use hdl::{Bits, Bundle, Clocked, Fifo, FifoIn, Item, Package, Probe, Quiet, Role, Visitor};

use crate::request::Request;

/// Capacity in requests.
pub const DEPTH: usize = 512;

/// The FIFO is almost full when it has room for fewer requests than this.
pub const ALMOST_FULL_FREE: u16 = 4;

hdl::bundle! {
    /// Input pins of a Request FIFO.
    pub struct In in request_fifo_pkg {
        /// Request to store.
        request: Request,
        /// Command Ex of `request`.
        ex: u64,
        /// Stores request and Command Ex; ignored when full.
        write_enable: bool,
        /// Takes the oldest request, which is on the output in the next cycle; ignored when empty.
        read_enable: bool,
    }
}

hdl::bundle! {
    /// Output pins of a Request FIFO.
    pub struct Out in request_fifo_pkg {
        /// The most recently taken request.
        request: Request,
        /// Command Ex of `request`.
        ex: u64,
        /// The FIFO holds no request.
        empty: bool,
        /// The FIFO holds 512 requests.
        full: bool,
        /// The FIFO has room for fewer than four requests.
        almost_full: bool,
    }
}

/// FIFO of requests with their Command Ex.
#[derive(Clone, Debug, Default)]
pub struct RequestFifo {
    /// The requests in order of arrival.
    pub request: Fifo<Request, DEPTH>,
    /// Command Ex of each; written and read together with the request.
    pub ex: Fifo<u64, DEPTH>,
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/request_fifo_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "RequestWidth",
            width: 32,
            value: Request::WIDTH as u64,
            doc: "Bits of a request.",
        },
        Item::Constant { name: "ExWidth", width: 32, value: u64::WIDTH as u64, doc: "Bits of a Command Ex." },
        Item::Constant { name: "Depth", width: 32, value: DEPTH as u64, doc: "Capacity in requests." },
        Item::Constant {
            name: "AlmostFullFree",
            width: 32,
            value: ALMOST_FULL_FREE as u64,
            doc: "The FIFO is almost full when it has room for fewer requests than this.",
        },
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for RequestFifo {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let (request, ex) = (self.request.outputs(), self.ex.outputs());
        Out {
            request: request.rdata,
            ex: ex.rdata,
            empty: request.empty,
            full: request.full,
            almost_full: DEPTH as u16 - request.count < ALMOST_FULL_FREE,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let &In { request, ex, write_enable, read_enable } = pins;
        if write_enable || read_enable {
            self.request.tick(&FifoIn { write_enable, wdata: request, read_enable });
            self.ex.tick(&FifoIn { write_enable, wdata: ex, read_enable });
        }
    }

    fn reset(&mut self) {
        self.request.reset();
        self.ex.reset();
    }

    /// Busy while it holds a request, because the Acceptor is about to read it.
    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.request.outputs().empty { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Probe for RequestFifo {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("request", &self.request);
        visitor.block("ex", &self.ex);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(number: u64) -> In {
        let request = Request { lower: number, upper: !number, to_prefetch_window: true, wid: false };
        In { request, ex: number << 8, write_enable: true, read_enable: false }
    }

    fn holding(requests: u64) -> RequestFifo {
        let mut fifo = RequestFifo::default();
        (0..requests).for_each(|number| fifo.tick(&numbered(number)));
        fifo
    }

    #[test]
    fn thresholds_match_decision_0008() {
        let mut fifo = RequestFifo::default();
        for stored in 0..=512 {
            let out = fifo.outputs();
            assert_eq!(
                (out.empty, out.almost_full, out.full),
                (stored == 0, 512 - stored < 4, stored == 512),
                "{stored} requests"
            );
            fifo.tick(&numbered(stored));
        }
    }

    #[test]
    fn request_and_ex_leave_together_and_in_order() {
        let mut fifo = holding(3);
        for number in 0..3 {
            fifo.tick(&In { read_enable: true, ..In::default() });
            let out = fifo.outputs();
            assert_eq!((out.request, out.ex), (numbered(number).request, number << 8));
        }
        assert!(fifo.outputs().empty);
    }

    #[test]
    fn full_write_is_ignored_even_while_reading() {
        let mut fifo = holding(512);
        fifo.tick(&numbered(999));
        fifo.tick(&In { read_enable: true, ..numbered(999) });
        assert_eq!(fifo.outputs().request.lower, 0);
        for number in 1..512 {
            fifo.tick(&In { read_enable: true, ..In::default() });
            assert_eq!(fifo.outputs().request.lower, number);
        }
        assert!(fifo.outputs().empty);
    }

    #[test]
    fn empty_read_is_ignored() {
        let mut fifo = holding(1);
        for _ in 0..3 {
            fifo.tick(&In { read_enable: true, ..In::default() });
        }
        fifo.tick(&numbered(7));
        assert_eq!(fifo.outputs().request.lower, 0);
        assert!(!fifo.outputs().empty);
        fifo.tick(&In { read_enable: true, ..In::default() });
        assert_eq!(fifo.outputs().request.lower, 7);
    }
}
