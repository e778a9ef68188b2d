//! What a rank asks for and is answered: the one table of both sides.
//!
//! A rank's library packs data into bytes before it asks and unpacks what it is answered, so that datatypes stay where the memory is that
//! they describe. Communicators, requests and messages are numbers that the simulator gave. Groups, topologies and attributes are the
//! library's own business and are not here.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

/// A call of a rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Called {
    /// The function of MPI in which the rank is, for reports.
    pub function: String,
    /// For how long it computed since the last answer, in ps: so far, what reading its clock has cost it.
    pub computed_ps: u64,
    /// Basic blocks that it went through since the last answer, if it was compiled to count them.
    pub blocks: u64,
    /// What it asks for.
    pub call: Call,
}

/// What a rank asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Call {
    /// It is there. Answer: [`Answer::World`].
    Begin,
    /// It communicates no longer: [`Answer::Done`] when nobody does.
    End,
    /// All are to end, with this exit code. There is no answer.
    Abort {
        /// Exit code.
        code: i32,
        /// Why, in words; nothing if the program itself asked for it.
        why: String,
    },
    /// Sends; [`Answer::Request`] if it ends later, else [`Answer::Done`].
    Send {
        /// Communicator.
        on: u32,
        /// When it ends.
        mode: Mode,
        /// Rank in the communicator.
        to: u32,
        /// Tag.
        tag: u32,
        /// It ends later.
        later: bool,
        /// The message.
        bytes: ByteBuf,
    },
    /// Receives; [`Answer::Request`] if it ends later, else [`Answer::Ended`].
    Receive {
        /// Communicator.
        on: u32,
        /// Rank in the communicator; any without.
        from: Option<u32>,
        /// Tag; any without.
        tag: Option<u32>,
        /// Bytes there is room for.
        most: u64,
        /// It ends later.
        later: bool,
    },
    /// Looks for a message: [`Answer::Found`].
    Probe {
        /// Communicator.
        on: u32,
        /// Rank in the communicator; any without.
        from: Option<u32>,
        /// Tag; any without.
        tag: Option<u32>,
        /// Waits until there is one.
        wait: bool,
        /// Nobody else is to receive it.
        keep: bool,
    },
    /// Receives a message that was kept; [`Answer::Request`] if it ends later, else [`Answer::Ended`].
    Take {
        /// The message.
        message: u32,
        /// Bytes there is room for.
        most: u64,
        /// It ends later.
        later: bool,
    },
    /// Ends of requests: [`Answer::Ended`].
    Ends {
        /// Requests.
        requests: Vec<u32>,
        /// Of how many.
        of: Of,
    },
    /// Whether requests have ended, which stay: [`Answer::Flag`].
    HasEnded(u32),
    /// A request that nobody asks for any more: [`Answer::Done`].
    Forget(u32),
    /// Gives a receive up: [`Answer::Done`].
    Cancel(u32),
    /// A collective operation; [`Answer::Request`] if it ends later, else [`Answer::Ended`] with one end.
    Collective {
        /// Communicator.
        on: u32,
        /// Which.
        what: Collective,
        /// It ends later.
        later: bool,
    },
    /// A communicator of the same ranks: [`Answer::Communicator`].
    Duplicate(u32),
    /// Communicators by colours: [`Answer::Communicator`].
    Split {
        /// Communicator.
        on: u32,
        /// Ranks of one colour get together; without, the rank gets none.
        colour: Option<u32>,
        /// In this order.
        key: i32,
    },
    /// A communicator of these processes, by all of the old one: [`Answer::Communicator`].
    Create {
        /// Communicator.
        on: u32,
        /// Processes, by their ranks in the world.
        processes: Vec<u32>,
    },
    /// The same, by those processes alone.
    CreateGroup {
        /// Communicator.
        on: u32,
        /// Processes, by their ranks in the world.
        processes: Vec<u32>,
        /// Tag.
        tag: u32,
    },
    /// A communicator that is not used any more: [`Answer::Done`].
    Free(u32),
    /// What came of [`Answer::Combine`].
    Combined(ByteBuf),
    /// Where in the program the call was made, in words; what [`Answer::Where`] asks for.
    Stands(String),
}

/// When a send ends (MPI 5.0, section 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// When the buffer can be used again.
    Standard,
    /// When a receive has begun to take it.
    Synchronous,
    /// At once.
    Buffered,
    /// As standard, to a receive that is there.
    Ready,
}

/// Of how many requests ends are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Of {
    /// Waits until all have ended.
    All,
    /// Waits until one has ended, and takes that.
    Any,
    /// Waits until one has ended, and takes all that have.
    Some,
    /// Those of all, if all have ended.
    AllIfThere,
    /// That of one, if one has ended.
    AnyIfThere,
    /// Those that have ended.
    SomeIfThere,
}

/// A collective operation (MPI 5.0, chapter 6). Bytes of several ranks are one after the other, in the order of ranks. Where lengths are
/// missing, those of all ranks are the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Collective {
    /// All wait for all.
    Barrier,
    /// The root's bytes to all.
    Broadcast {
        /// Rank that has them.
        root: u32,
        /// How many.
        length: u64,
        /// They; elsewhere nothing.
        bytes: ByteBuf,
    },
    /// Everybody's bytes to the root.
    Gather {
        /// Rank that gets them.
        root: u32,
        /// The own ones.
        bytes: ByteBuf,
        /// At the root, how many come of each rank.
        lengths: Option<Vec<u64>>,
    },
    /// Bytes of the root to everybody.
    Scatter {
        /// Rank that has them.
        root: u32,
        /// All of them; elsewhere nothing.
        bytes: ByteBuf,
        /// At the root, how many go to each rank.
        lengths: Option<Vec<u64>>,
        /// How many come here.
        own: u64,
    },
    /// Everybody's bytes to everybody.
    GatherAll {
        /// The own ones.
        bytes: ByteBuf,
        /// How many come of each rank.
        lengths: Option<Vec<u64>>,
    },
    /// Bytes of each to each.
    ToAll {
        /// All that leave.
        bytes: ByteBuf,
        /// How many go to each rank, and how many come of it.
        lengths: Option<(Vec<u64>, Vec<u64>)>,
    },
    /// Everybody's elements, combined, to the root, or to all.
    Reduce {
        /// Rank that gets them; all without.
        root: Option<u32>,
        /// The own ones.
        bytes: ByteBuf,
        /// How.
        how: Combination,
    },
    /// Combined, and a part to each rank.
    ReduceScatter {
        /// The own ones.
        bytes: ByteBuf,
        /// How many bytes go to each rank.
        lengths: Vec<u64>,
        /// How.
        how: Combination,
    },
    /// Combined of all ranks up to the own one, or up to the one before.
    Scan {
        /// The own ones.
        bytes: ByteBuf,
        /// With the own ones.
        inclusive: bool,
        /// How.
        how: Combination,
    },
}

/// How elements are combined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Combination {
    /// By an operation of the standard, on a type of the standard; both by their numbers in its ABI.
    Standard {
        /// Operation.
        operation: u32,
        /// Datatype.
        datatype: u32,
    },
    /// By a function of the program, which [`Answer::Combine`] asks for.
    Program {
        /// Number of the operation at the rank.
        operation: u32,
        /// Number of the datatype at the rank.
        datatype: u32,
        /// Bytes of an element, packed.
        element: u64,
        /// Operands may change their places.
        commutative: bool,
    },
}

/// What a rank is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// That is done.
    Done,
    /// The answer to [`Call::Begin`].
    World {
        /// Rank of the process.
        rank: u32,
        /// Ranks that there are.
        size: u32,
        /// Name of the processor.
        processor: String,
    },
    /// It ends later.
    Request(u32),
    /// Ends, by their places in the list of requests.
    Ended(Vec<(u32, End)>),
    /// What was found.
    Found(Option<Found>),
    /// Yes or no.
    Flag(bool),
    /// A communicator, if the rank is one of it.
    Communicator(Option<World>),
    /// The call is wrong, or failed.
    Failed(Failure),
    /// The second operand is to become the combination of both, whatever else the rank is about to do. It says [`Call::Combined`], and
    /// waits on.
    Combine {
        /// Number of the operation at the rank.
        operation: u32,
        /// Number of the datatype at the rank.
        datatype: u32,
        /// First operand, of the lower ranks, packed.
        first: ByteBuf,
        /// Second operand, packed.
        second: ByteBuf,
    },
    /// Where in the program the rank is, whatever else it is about to do. It says [`Call::Stands`], and waits on.
    Where,
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Rank of the sender.
    pub source: u32,
    /// Tag.
    pub tag: u32,
    /// Bytes of the message.
    pub length: u64,
    /// There is no message, because the receive was cancelled.
    pub cancelled: bool,
    /// The message, or what came of a collective operation; of a message that is too long, its beginning.
    pub bytes: ByteBuf,
    /// What was wrong.
    pub failure: Option<Failure>,
}

/// A message that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Its number, if it was kept.
    pub message: Option<u32>,
    /// Rank of its sender.
    pub source: u32,
    /// Its tag.
    pub tag: u32,
    /// Its bytes.
    pub length: u64,
}

/// A communicator and who is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct World {
    /// Its number.
    pub number: u32,
    /// Its processes in the order of their ranks, by their ranks in the world.
    pub processes: Vec<u32>,
}

/// What was wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Error class of the standard.
    pub class: i32,
    /// In words.
    pub why: String,
}
