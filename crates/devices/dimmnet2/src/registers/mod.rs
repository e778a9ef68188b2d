//! Registers of the host interface: one User Register page per process, one privileged System Register page.
//!
//! Every register is 64 bits wide for the host and starts on a 16-byte boundary. Bits beyond a register's
//! width, and offsets or directions without a register, read 0 and ignore writes.

pub mod code;
mod system;
mod user;

pub use system::{AmtAddressTableInterface, ReadOptions, SYSTEM_PACKAGE, SmaLid, SystemRegister};
pub use user::{
    ControllerStatus, LhBufferPointer, ModuleState, PrefetchWindowFlag, PrimitiveCounter, ReceiveCondition,
    StatusPointer, USER_PACKAGE, UserRegister, WindowStatus,
};
