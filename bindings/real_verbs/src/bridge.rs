//! The boundary to C++: what `pair.h` declares.

// Items that cxx makes have no words of their own.
#[allow(unsafe_code, missing_docs)]
#[cxx::bridge(namespace = "real_verbs")]
pub mod ffi {
    /// A global identifier of a port, and its place in the table.
    struct Gid {
        index: u8,
        bytes: [u8; 16],
    }

    /// A port that is up.
    struct Port {
        device: String,
        number: u8,
        lid: u16,
        mtu: u32,
        gids: Vec<Gid>,
    }

    /// Where a queue pair is to be, and what it is to have.
    struct Wanted {
        device: String,
        port: u8,
        gid_index: u8,
        /// Of all pairs of a run: what comes with another one, the adapter drops.
        key: u32,
        /// Packets that may come before they are looked at, at most.
        receives: u32,
        /// Packets that may be leaving.
        sends: u32,
    }

    /// Where another queue pair is.
    struct Address {
        lid: u16,
        gid: [u8; 16],
        pair: u32,
    }

    /// What has come.
    struct Arrived {
        /// Bytes with the 40 in front; 0 if nothing has come.
        bytes: u32,
        /// Queue pair of the sender.
        pair: u32,
        /// Local identifier of its port.
        lid: u16,
        /// Whether the 40 bytes mean something.
        routed: bool,
    }

    unsafe extern "C++" {
        include!("real_verbs/src/pair.h");

        /// A queue pair for datagrams, and all that it needs.
        type Pair;

        /// All ports that are up.
        fn ports() -> Result<Vec<Port>>;
        /// A pair that is ready.
        fn open(wanted: &Wanted) -> Result<UniquePtr<Pair>>;
        /// Its number.
        fn number(self: &Pair) -> u32;
        /// Bytes of what comes at most, with the 40 in front.
        fn slot_bytes(self: &Pair) -> u32;
        /// The next peer is there. Before anything is sent.
        fn reach(self: Pin<&mut Pair>, peer: &Address) -> Result<()>;
        /// Sends a packet to a peer, unless all of the ring is leaving.
        fn send(self: &Pair, peer: usize, packet: &[u8]) -> Result<bool>;
        /// What comes next, waited for so long at most.
        fn receive(self: &Pair, bytes: &mut [u8], milliseconds: i32) -> Result<Arrived>;
    }
}
