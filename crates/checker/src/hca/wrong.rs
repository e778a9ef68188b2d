//! Kinds of findings.

use crate::core::kinds;

kinds! {
    /// A kind of finding.
    pub enum Wrong {
        Duplicate = "duplicate": "a packet of a SEND or an atomic operation is executed twice",
        Gap = "gap": "a packet is executed before the one that precedes it",
        TwoBuffers = "two buffers": "the packets of a SEND come into the buffers of different receive WQEs",
        Unexecuted = "early completion": "a request is completed with success and has not been executed",
        WrongData = "wrong data": "an RDMA READ or an atomic operation brings other data than were last written",
        GivesUp = "gives up": "a request fails for want of an answer after fewer faults than the retry count",
        Broken = "broken connection": "the connection breaks, although neither end has broken a rule",
        Deadlock (trap) = "deadlock": "from here on all comes to rest before every request has a completion",
        Livelock (trap) = "livelock": "from here on packets are sent for ever, and a request never has its completion",
    }
}
