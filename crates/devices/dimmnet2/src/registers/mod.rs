//! Registers that the host sees: one User Register page per process, one privileged System Register page.
//!
//! Every register is 64 bits wide for the host and starts on a 16-byte boundary. Bits beyond a register's
//! width read 0 and are ignored when written, and so are offsets and directions that no register has.

pub mod code;
mod system;
mod user;

pub use system::{AmtAddressTableInterface, ReadOptions, SYSTEM_PACKAGE, SmaLid, SystemRegister};
pub use user::{
    ControllerStatus, LhBufferPointer, ModuleState, PrefetchWindowFlag, PrimitiveCounter, ReceiveCondition,
    StatusPointer, USER_PACKAGE, UserRegister, WindowStatus,
};
