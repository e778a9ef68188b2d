//! Commands as they are parsed.

use dimmnet2::Primitive;
use dimmnet2::registers::{SystemRegister, UserRegister};

use super::options::Named;

/// 32-bit values that grow from address to address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// Byte offset of the first value.
    pub from: u32,
    /// Number of values.
    pub iteration: u32,
    /// The first value.
    pub value: u32,
    /// Difference of neighbours.
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
    /// Code written to the command register.
    pub primitive: Primitive,
    /// Code of the element size.
    pub dtype: u8,
    /// Number of elements.
    pub iteration: u8,
    /// WID of the destination process.
    pub dwid: bool,
    /// Compressed LID of the destination node.
    pub dclid: u16,
    /// The receiver is asked for a status.
    pub eflag: bool,
    /// Size, list or stride.
    pub size: u32,
    /// Read offset.
    pub src: u32,
    /// Write offset.
    pub dst: u32,
}

/// The commands of the manual (thesis table C.1), except help, quit and version, which need no board; and `botf`.
#[derive(Clone, Copy, Debug)]
pub enum Command {
    /// `evpbuf_read`: reads the EVP buffer.
    EvpbufRead {
        /// Byte offset.
        offset: u32,
        /// Bytes.
        size: u32,
    },
    /// `llcm_read`: bytes of LLCM are printed.
    LlcmRead {
        /// Byte offset.
        offset: u32,
        /// Bytes.
        size: u32,
    },
    /// `llcm_write`: writes LLCM.
    LlcmWrite(Series),
    /// `prim`: issues a primitive.
    Prim(Request),
    /// `pw_read`: reads a Prefetch Window.
    PwRead {
        /// Number of the window, 0 to 3.
        window: u8,
        /// Bytes, from its beginning.
        size: u32,
    },
    /// `rllcm_write`: writes 8 bytes of remote LLCM.
    RllcmWrite {
        /// Compressed LID of the destination node.
        dclid: u16,
        /// Byte offset in its LLCM.
        offset: u32,
        /// 64 bits to write.
        value: u64,
    },
    /// `sreg_read`: 64 bits of a System Register are printed.
    SregRead(&'static Named<SystemRegister>),
    /// `sreg_write`: writes a System Register.
    SregWrite(&'static Named<SystemRegister>, u64),
    /// `sreg_write amt`: writes an entry of the Address Management Table.
    Amt {
        /// Number of the 64-bit word of LLCM that holds the entry.
        address: u16,
        /// WID of the sending process.
        wid: bool,
        /// LID of the sending node.
        lid: u16,
    },
    /// `ureg_read`: 64 bits of a User Register are printed.
    UregRead(&'static Named<UserRegister>),
    /// `ureg_write`: writes a User Register.
    UregWrite(&'static Named<UserRegister>, u64),
    /// `ww_write`: writes a Write Window.
    WwWrite {
        /// Number of the window, 0 to 3.
        window: u8,
        /// Offsets count from the beginning of the window.
        series: Series,
    },
    /// `botf`: sends the packet image in a Write Window.
    Botf {
        /// Number of the window, 0 to 3.
        window: u8,
        /// Bytes of the image.
        size: u16,
    },
}
