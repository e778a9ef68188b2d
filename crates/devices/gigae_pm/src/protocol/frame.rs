//! Kinds of frames: one carries a message, four carry control (paper appendix).

use hdl::{Item, Package};

hdl::codes! {
    /// Kind of a frame. Control frames are created and consumed by the firmware and never cross the
    /// PCI bus (paper section 2.2).
    pub enum Kind in frame_pkg, width 3 {
        /// No frame is sent.
        Nothing = 0,
        /// Msg(s, r, i): message i.
        Message = 1,
        /// ACK(r, k): k is the last message received in order.
        Ack = 2,
        /// LOSE(r, k): a message after k was lost; k is the last one received in order.
        Lose = 3,
        /// STOP(r, k): there is no room for message k.
        Stop = 4,
        /// GO(r, k): there is room again; message k is the next.
        Go = 5,
    }
}

/// The generated package.
pub const PACKAGE: Package =
    Package { path: "gigae_pm/protocol/frame_pkg", source: file!(), items: &[Item::Codes(Kind::TABLE)] };
