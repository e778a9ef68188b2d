//! Requests: commands in flight through the Window Controller.

use hdl::{Item, Package};

hdl::bundle! {
    /// A command together with what its register and page imply: 130 bits (thesis section 5.3, figure 5.7).
    pub struct Request in request_pkg {
        /// Command Lower.
        lower: u64,
        /// Command Upper.
        upper: u64,
        /// Destination of received data: 0 SO-DIMM (Command0), 1 Prefetch Window (Command1). Local primitives
        /// ignore it.
        to_prefetch_window: bool,
        /// WID of the issuer, given by the page that was written.
        wid: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/request_pkg",
    source: file!(),
    items: &[Item::Bundle(<Request as hdl::Bundle>::TABLE)],
};

#[cfg(test)]
mod tests {
    use hdl::Bits;

    use super::*;

    #[test]
    fn bit_positions_match_figure_5_7() {
        assert_eq!(Request::WIDTH, 130);
        let request = Request { lower: 0x11, upper: 0x22, to_prefetch_window: true, wid: false };
        let mut words = [0; 3];
        request.put(&mut words, 0, Request::WIDTH);
        assert_eq!(words, [0x11, 0x22, 0b01]);
        words[2] = 0b10;
        assert!(Request::take(&words, 0, Request::WIDTH).wid);
    }
}
