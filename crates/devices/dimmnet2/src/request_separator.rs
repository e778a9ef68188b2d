//! Request Separator: separates remote requests from receive statuses (thesis section 5.4, figure 5.16).
//!
//! The Receive Controller delivers both in the format of a command. An OTYPE of the RVL family is a request
//! of a remote node and goes to the Window Controller; any other OTYPE is a receive status and goes to the
//! Status Write Unit.
//!
//! Combinational: every output depends on inputs of the same cycle. The block has no registers, because
//! figure 5.16 draws a decoder and the published status write of 3 cycles leaves no cycle for one.

use hdl::{Bundle, Item, Package};

use crate::primitive::Family;
use crate::receive_controller::pins::Result;
use crate::request::Request;

hdl::bundle! {
    /// Output pins of the Request Separator.
    pub struct Out in request_separator_pkg {
        /// A remote request for the Window Controller, or a status for the Status Write Unit.
        request: Request,
        /// Command Ex of a remote request.
        ex: u64,
        /// `request` is a remote request (Request Write Enable of figure 5.16).
        remote_request_enable: bool,
        /// `request` is a receive status (Status Write Enable of figure 5.16).
        status_enable: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package =
    Package { path: "dimmnet2/request_separator_pkg", source: file!(), items: &[Item::Bundle(Out::TABLE)] };

/// Output pins for input pins of the same cycle.
#[inline]
pub fn separate(pins: &Result) -> Out {
    let remote = (pins.request.lower >> 2 & 0b111) as u8 == Family::FamilyRvl.code();
    Out {
        request: pins.request,
        ex: pins.ex,
        remote_request_enable: pins.enable && remote,
        status_enable: pins.enable && !remote,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitive::Primitive;

    #[test]
    fn only_the_rvl_family_is_a_remote_request() {
        for primitive in Primitive::ALL {
            let request = Request { lower: u64::from(primitive.code()), ..Default::default() };
            let out = separate(&Result { request, ex: 7, enable: true });
            let remote = primitive.family() == Family::FamilyRvl;
            assert_eq!((out.remote_request_enable, out.status_enable), (remote, !remote), "{primitive:?}");
            assert_eq!((out.request, out.ex), (request, 7));
            let out = separate(&Result { request, ex: 7, enable: false });
            assert_eq!((out.remote_request_enable, out.status_enable), (false, false));
        }
    }
}
