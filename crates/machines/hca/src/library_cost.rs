//! Instructions of the verbs library, as `ci/library-cost verbs` counts them in `port.rs` and `completions.rs`
//! (decision 0103). Host 1 takes the completion of each message, which posts the next receive request, and host 0 that of
//! each SEND.
//!
//! ```text
//! library      verbs
//! package      hca_machine
//! example      verbs_steps
//! lines        crates/machines/hca/src
//! POST_SEND    port.rs:send port.rs:post | 300 - 100 | 200
//! POST_RECEIVE port.rs:post_receive port.rs:post_buffer | 300 - 100 | 200
//! COMPLETION   port.rs:poll completions.rs | 300 - 100 | 400
//! ```

use cluster::Duration;
use cluster::host::LibraryStep;

use crate::Host;

/// `ibv_post_send`.
pub const POST_SEND: LibraryStep = LibraryStep { instructions: 165, loads: 42, stores: 58, branches: 18 };

/// `ibv_post_recv`.
pub const POST_RECEIVE: LibraryStep = LibraryStep { instructions: 82, loads: 21, stores: 28, branches: 9 };

/// A completion that `ibv_poll_cq` takes.
pub const COMPLETION: LibraryStep = LibraryStep { instructions: 142, loads: 43, stores: 31, branches: 19 };

/// Mark after the counted instructions of a call that sends.
pub(crate) const CALLED: &str = "library called";
/// Mark after the counted instructions of a completion that has brought a message.
pub(crate) const TAKEN: &str = "library has taken a completion";

/// Times of the library's steps. The caller lets them pass.
impl Host {
    /// A send request is posted.
    pub fn post_send_time(&self) -> Duration {
        self.verbs_library().take(self.costs().post, POST_SEND)
    }

    /// A receive request is posted, which takes `looks` by the costs of the machine.
    pub fn post_receive_time(&self, looks: Duration) -> Duration {
        self.verbs_library().take(looks, POST_RECEIVE)
    }

    /// A completion is taken.
    pub fn completion_time(&self) -> Duration {
        self.verbs_library().take(self.costs().complete, COMPLETION)
    }
}
