//! Instructions of PM's library, as `ci/library-cost pm` counts them in `port.rs` (decision 0103).
//!
//! ```text
//! library pm
//! package gigae_pm_machine
//! example pm_steps
//! lines   crates/machines/gigae_pm/src
//! SEND    port.rs:get_send_buffer port.rs:send_message | 300 0 - 100 0 | 200
//! RECEIVE port.rs:receive | 300 0 - 100 0 | 200
//! POLL    port.rs:receive | 10 300 - 10 100 | 200
//! PUT     port.rs:put_receive_buffer | 300 0 - 100 0 | 200
//! ```

use cluster::host::LibraryStep;

/// `_PM_getsendBuf` and `_PM_sendmsg`: a message is sent.
pub const SEND: LibraryStep = LibraryStep { instructions: 139, loads: 49, stores: 34, branches: 16 };

/// `_PM_receive` that finds a message.
pub const RECEIVE: LibraryStep = LibraryStep { instructions: 191, loads: 41, stores: 67, branches: 19 };

/// `_PM_receive` that finds none.
pub const POLL: LibraryStep = LibraryStep { instructions: 77, loads: 13, stores: 31, branches: 7 };

/// `_PM_putreceiveBuf`.
pub const PUT: LibraryStep = LibraryStep { instructions: 59, loads: 18, stores: 17, branches: 5 };
