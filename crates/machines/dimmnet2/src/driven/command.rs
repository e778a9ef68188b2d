//! What a line asks for.

use dimmnet2::Primitive;
use dimmnet2::registers::{SystemRegister, UserRegister};

use super::options::Named;

/// 32-bit values that grow from address to address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// Byte offset of the first one.
    pub from: u32,
    /// How many.
    pub iteration: u32,
    /// The first one.
    pub value: u32,
    /// From one to the next.
    pub increment: u32,
}

impl Series {
    /// The values in their order.
    pub fn values(self) -> impl Iterator<Item = u32> {
        (0..self.iteration).map(move |i| self.value.wrapping_add(self.increment.wrapping_mul(i)))
    }
}

/// A primitive with all its parameters (thesis figure C.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which.
    pub primitive: Primitive,
    /// Code of the element size.
    pub dtype: u8,
    /// Number of elements.
    pub iteration: u8,
    /// Destination process's WID.
    pub dwid: bool,
    /// Destination node's compressed LID.
    pub dclid: u16,
    /// Ask the receiver for a status.
    pub eflag: bool,
    /// Size, list or stride.
    pub size: u32,
    /// Read offset.
    pub src: u32,
    /// Write offset.
    pub dst: u32,
}

/// The commands of the manual (thesis table C.1), but for help, quit and version, which need no board; and `botf`.
#[derive(Clone, Copy, Debug)]
pub enum Command {
    /// `evpbuf_read`
    EvpbufRead {
        /// Byte offset.
        offset: u32,
        /// Bytes.
        size: u32,
    },
    /// `llcm_read`
    LlcmRead {
        /// Byte offset.
        offset: u32,
        /// Bytes.
        size: u32,
    },
    /// `llcm_write`
    LlcmWrite(Series),
    /// `prim`
    Prim(Request),
    /// `pw_read`
    PwRead {
        /// Window.
        window: u8,
        /// Bytes, from its beginning.
        size: u32,
    },
    /// `rllcm_write`
    RllcmWrite {
        /// Destination node's compressed LID.
        dclid: u16,
        /// Byte offset there.
        offset: u32,
        /// What is written.
        value: u64,
    },
    /// `sreg_read`
    SregRead(&'static Named<SystemRegister>),
    /// `sreg_write`
    SregWrite(&'static Named<SystemRegister>, u64),
    /// `sreg_write amt`
    Amt {
        /// Number of the 64-bit word of LLCM that holds the entry.
        address: u16,
        /// Sending process's WID.
        wid: bool,
        /// Sending node's LID.
        lid: u16,
    },
    /// `ureg_read`
    UregRead(&'static Named<UserRegister>),
    /// `ureg_write`
    UregWrite(&'static Named<UserRegister>, u64),
    /// `ww_write`
    WwWrite {
        /// Window.
        window: u8,
        /// Offsets count from the beginning of the window.
        series: Series,
    },
    /// `botf`: sends the packet image in a Write Window.
    Botf {
        /// Window.
        window: u8,
        /// Bytes of the image.
        size: u16,
    },
}
