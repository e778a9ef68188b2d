//! Calls of a rank and their answers; the library and the simulator share these types.
//!
//! The library packs data before a call and unpacks the answer, so datatypes stay in the process. Communicators, requests
//! and messages are numbers that the simulator assigns. Groups, topologies and attributes exist in the library alone.

mod memory;
mod thread;
mod window;

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

pub use memory::{LONG, MemoryAddress, Place, Region};
pub use thread::CallingThread;
pub use window::{Synchronization, WindowAccess, WindowCall};

/// A call, and what the rank did before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallMessage {
    /// The function of MPI that the program called, for reports.
    pub function: String,
    /// Virtual time of looks and of reading the clock since the last answer, in ps.
    pub computed_ps: u64,
    /// Basic blocks executed since the last answer; 0 if the program was not compiled to count them.
    pub blocks: u64,
    /// Looks since the last answer, which was [`Answer::Nothing`]: the virtual time of each since that answer, in ps.
    pub looks: Vec<u64>,
    /// The calling thread, if the process has several.
    pub thread: Option<CallingThread>,
    /// Function and arguments, with the data to be sent.
    pub call: Call,
    /// Address that a call of a window and [`Call::Init`] need. Addresses are no part of the fingerprint, because they
    /// differ between runs.
    pub memory: Option<MemoryAddress>,
    /// Where the data of the call is, if it is not in the call.
    pub data: Option<Region>,
    /// Buffers for data of the answer: of [`Call::Complete`] one for each request, of other calls one. Data without a
    /// buffer is in the answer.
    pub places: Vec<Option<Place>>,
}

impl CallMessage {
    /// A call right after the last answer, which names no memory.
    pub fn new(function: String, call: Call) -> Self {
        CallMessage {
            function,
            computed_ps: 0,
            blocks: 0,
            looks: Vec::new(),
            thread: None,
            call,
            memory: None,
            data: None,
            places: Vec::new(),
        }
    }
}

/// A call of a rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Call {
    /// `MPI_Init`. Answer: [`Answer::World`].
    Init,
    /// `MPI_Finalize`. [`Answer::Done`] comes when all ranks have called it.
    Finalize,
    /// Ends all ranks. It has no answer.
    Abort {
        /// Exit code of the run.
        code: i32,
        /// The error that the library met; empty if the program called `MPI_Abort`.
        reason: String,
    },
    /// Sends a message: [`Answer::Done`], or [`Answer::Request`] if nonblocking.
    Send {
        /// Number of a communicator.
        communicator: u32,
        /// Condition for completion.
        mode: SendMode,
        /// Rank of the receiver in the communicator.
        destination: u32,
        /// Tag, as MPI has it.
        tag: u32,
        /// The answer comes before the send is complete.
        nonblocking: bool,
        /// The message, packed.
        bytes: ByteBuf,
    },
    /// Receives a message: [`Answer::Completed`], or [`Answer::Request`] if nonblocking.
    Receive {
        /// Number of a communicator.
        communicator: u32,
        /// Rank of the sender in the communicator; any without.
        source: Option<u32>,
        /// Tag; any without.
        tag: Option<u32>,
        /// Length of the buffer in bytes.
        capacity: u64,
        /// The answer comes before the receive is complete.
        nonblocking: bool,
    },
    /// Looks for a message: [`Answer::Probed`].
    Probe {
        /// Number of a communicator.
        communicator: u32,
        /// Rank of the sender in the communicator; any without.
        source: Option<u32>,
        /// Tag; any without.
        tag: Option<u32>,
        /// Waits until there is a message.
        blocking: bool,
        /// Reserves the message for [`Call::ReceiveMatched`].
        matched: bool,
    },
    /// Receives a message that a probe has reserved: [`Answer::Completed`], or [`Answer::Request`] if nonblocking.
    ReceiveMatched {
        /// Number of the message.
        message: u32,
        /// Length of the buffer in bytes.
        capacity: u64,
        /// The answer comes before the receive is complete.
        nonblocking: bool,
    },
    /// Waits for requests, or tests them: [`Answer::Completed`].
    Complete {
        /// Numbers of the requests, each once.
        requests: Vec<u32>,
        /// Which of them have to be complete.
        mode: CompletionMode,
    },
    /// Whether a request is complete, which stays valid: [`Answer::Flag`].
    IsComplete(u32),
    /// Frees a request, whose operation goes on: [`Answer::Done`].
    FreeRequest(u32),
    /// Cancels a receive: [`Answer::Done`].
    Cancel(u32),
    /// A collective operation: [`Answer::Completed`] with one entry, or [`Answer::Request`] if nonblocking.
    Collective {
        /// Number of a communicator.
        communicator: u32,
        /// The operation, with the data of this rank.
        operation: Collective,
        /// The answer comes before the operation is complete.
        nonblocking: bool,
    },
    /// Duplicates a communicator: [`Answer::Communicator`].
    Duplicate(u32),
    /// Splits a communicator by colours: [`Answer::Communicator`].
    Split {
        /// Number of a communicator.
        communicator: u32,
        /// Ranks of one colour share a new communicator; a rank without gets none.
        color: Option<u32>,
        /// Ranks are ordered by key, then by old rank.
        key: i32,
    },
    /// Makes a communicator of these processes, called by all of the old one: [`Answer::Communicator`].
    Create {
        /// The old communicator.
        communicator: u32,
        /// Processes, by their numbers in the run.
        processes: Vec<u32>,
    },
    /// Makes a communicator of these processes, called by them alone: [`Answer::Communicator`].
    CreateGroup {
        /// The old communicator.
        communicator: u32,
        /// Processes, by their numbers in the run.
        processes: Vec<u32>,
        /// Distinguishes concurrent calls.
        tag: u32,
    },
    /// Frees a communicator: [`Answer::Done`].
    FreeCommunicator(u32),
    /// The reply to [`Answer::Reduce`]: the second operand combined with the first, packed.
    Reduced(ByteBuf),
    /// The reply to [`Answer::Locate`]: `file:line in function`; empty where it is not known.
    Location(String),
    /// The program deviates from the standard as other libraries allow it, described without rank and values:
    /// [`Answer::Flag`], false if the run is strict.
    Deviate(String),
    /// Begins to duplicate a communicator: [`Answer::Request`]. The completed request has the number of the new
    /// communicator in four bytes, little endian.
    BeginDuplicate(u32),
    /// Makes an intercommunicator of the group of a communicator and another group: [`Answer::Communicator`].
    CreateIntercommunicator {
        /// The communicator of this group.
        communicator: u32,
        /// Rank of the leader of this group.
        leader: u32,
        /// At the leader, a communicator to which both leaders belong, and the rank of the other leader there.
        peer: Option<(u32, u32)>,
        /// Distinguishes concurrent calls.
        tag: u32,
    },
    /// Makes a communicator of both groups of an intercommunicator: [`Answer::Communicator`].
    Merge {
        /// The intercommunicator.
        communicator: u32,
        /// The ranks of this group come after those of the other one.
        high: bool,
    },
    /// One-sided communication; the answers are named there.
    Window(WindowCall),
    /// Opens a port: [`Answer::Name`].
    OpenPort,
    /// Closes a port of this process: [`Answer::Done`].
    ClosePort(String),
    /// Makes an intercommunicator with the processes that connect to a port: [`Answer::Communicator`].
    Accept(Connection),
    /// Makes an intercommunicator with the processes that accept at a port: [`Answer::Communicator`].
    Connect(Connection),
    /// Publishes a port under the name of a service: [`Answer::Done`].
    PublishName {
        /// Name of the service.
        service: String,
        /// Name of the port.
        port: String,
    },
    /// Withdraws the name of a service: [`Answer::Done`].
    UnpublishName(String),
    /// The port that a service is published under: [`Answer::Name`].
    LookUpName(String),
    /// Starts processes on spare hosts, with an intercommunicator to them: [`Answer::Communicator`].
    Spawn {
        /// The communicator of the processes that start them.
        communicator: u32,
        /// Rank of the process that knows the programs.
        root: u32,
        /// At the root, the programs.
        programs: Option<Vec<SpawnedProgram>>,
    },
    /// Waits until a call of any thread is complete: [`Answer::OfThread`], or [`Answer::Waiting`] after the time.
    Await {
        /// Virtual time at which the wait ends, in ps.
        until_ps: Option<u64>,
    },
}

impl Call {
    /// Whether the call looks for an event and does not wait for it.
    pub fn is_look(&self) -> bool {
        use CompletionMode::{TestAll, TestAny, TestSome};
        match self {
            Call::Complete { mode, .. } => matches!(mode, TestAll | TestAny | TestSome),
            Call::Probe { blocking, .. } => !blocking,
            Call::IsComplete(_) => true,
            _ => false,
        }
    }

    /// Data that the call sends; none of most calls.
    pub fn data_mut(&mut self) -> Option<&mut ByteBuf> {
        match self {
            Call::Send { bytes, .. } | Call::Reduced(bytes) => Some(bytes),
            Call::Collective { operation, .. } => operation.bytes_mut(),
            Call::Window(WindowCall::Access { access, .. }) => access.data_mut(),
            _ => None,
        }
    }

    /// Whether several threads of a process may be in such a call at the same time.
    pub fn is_of_thread(&self) -> bool {
        !matches!(self, Call::Init | Call::Finalize | Call::Abort { .. })
    }
}

/// The calling side of `MPI_Comm_accept` and `MPI_Comm_connect`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// The communicator of the calling processes.
    pub communicator: u32,
    /// Rank of the process that knows the port.
    pub root: u32,
    /// At the root, the name of the port.
    pub port: Option<String>,
}

/// A program that processes are started of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpawnedProgram {
    /// The program and its arguments.
    pub words: Vec<ByteBuf>,
    /// Number of processes.
    pub processes: u32,
    /// Folders in which a program without a folder in its name is looked for first, separated by colons.
    pub path: Option<ByteBuf>,
    /// Working directory; `None` for that of the first program of the run.
    pub folder: Option<ByteBuf>,
}

/// Root of a collective operation, encoded as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub enum Root {
    /// A rank; in an intercommunicator one of the remote group.
    Rank(u32),
    /// This process (`MPI_ROOT`); in intercommunicators only.
    Here,
    /// Another process of the local group (`MPI_PROC_NULL`); in intercommunicators only.
    Elsewhere,
}

/// Number of [`Root::Here`].
const HERE: u32 = u32::MAX;
/// Number of [`Root::Elsewhere`].
const ELSEWHERE: u32 = u32::MAX - 1;

impl From<u32> for Root {
    fn from(number: u32) -> Self {
        match number {
            HERE => Root::Here,
            ELSEWHERE => Root::Elsewhere,
            rank => Root::Rank(rank),
        }
    }
}

impl From<Root> for u32 {
    fn from(root: Root) -> Self {
        match root {
            Root::Rank(rank) => rank,
            Root::Here => HERE,
            Root::Elsewhere => ELSEWHERE,
        }
    }
}

/// When a send completes (MPI 5.0, section 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SendMode {
    /// When the buffer can be used again.
    Standard,
    /// When the matching receive has started.
    Synchronous,
    /// At once, out of a buffer of the program.
    Buffered,
    /// As standard; the matching receive has been posted.
    Ready,
}

/// Which requests a call completes (MPI 5.0, section 3.7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CompletionMode {
    /// Waits for all requests.
    WaitAll,
    /// Waits for one request and completes it.
    WaitAny,
    /// Waits for one request and completes all that are ready.
    WaitSome,
    /// Completes all requests, if all are ready.
    TestAll,
    /// Completes one request, if one is ready.
    TestAny,
    /// Completes all requests that are ready.
    TestSome,
}

/// A collective operation (MPI 5.0, chapter 6). Bytes of several ranks are concatenated in the order of ranks. Without
/// `lengths`, all ranks contribute equally many bytes. In an intercommunicator there are always lengths, for or from the
/// ranks of the remote group; at the root of a reduction only the number of bytes counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Collective {
    /// `MPI_Barrier`.
    Barrier,
    /// `MPI_Bcast`.
    Broadcast {
        /// Rank with the data.
        root: Root,
        /// Bytes of the data.
        length: u64,
        /// The data at the root; empty elsewhere.
        bytes: ByteBuf,
    },
    /// `MPI_Gather` and `MPI_Gatherv`.
    Gather {
        /// Rank that receives the data.
        root: Root,
        /// Data of this rank.
        bytes: ByteBuf,
        /// At the root, bytes from each rank.
        lengths: Option<Vec<u64>>,
    },
    /// `MPI_Scatter` and `MPI_Scatterv`.
    Scatter {
        /// Rank with the data.
        root: Root,
        /// Data of all ranks at the root; empty elsewhere.
        bytes: ByteBuf,
        /// At the root, bytes for each rank.
        lengths: Option<Vec<u64>>,
        /// Bytes for this rank.
        own: u64,
    },
    /// `MPI_Allgather` and `MPI_Allgatherv`.
    Allgather {
        /// Data of this rank.
        bytes: ByteBuf,
        /// Bytes from each rank.
        lengths: Option<Vec<u64>>,
    },
    /// `MPI_Alltoall` and its variants.
    Alltoall {
        /// Data for all ranks.
        bytes: ByteBuf,
        /// Bytes for each rank, and bytes from each rank.
        lengths: Option<(Vec<u64>, Vec<u64>)>,
    },
    /// `MPI_Reduce` and `MPI_Allreduce`.
    Reduce {
        /// Rank that receives the result; all without.
        root: Option<Root>,
        /// Elements of this rank.
        bytes: ByteBuf,
        /// The operation on the elements.
        reduction: Reduction,
    },
    /// `MPI_Reduce_scatter` and `MPI_Reduce_scatter_block`.
    ReduceScatter {
        /// Elements of this rank.
        bytes: ByteBuf,
        /// Bytes of the result for each rank.
        lengths: Vec<u64>,
        /// The operation on the elements.
        reduction: Reduction,
    },
    /// `MPI_Scan` and `MPI_Exscan`.
    Scan {
        /// Elements of this rank.
        bytes: ByteBuf,
        /// The result includes the elements of this rank.
        inclusive: bool,
        /// The operation on the elements.
        reduction: Reduction,
    },
    /// `MPI_Neighbor_alltoall` and its variants. Parts between two ranks match in order.
    Neighbours {
        /// Data for all receivers.
        bytes: ByteBuf,
        /// Receivers, and bytes for each.
        sends: Vec<(u32, u64)>,
        /// Senders, and bytes from each.
        receives: Vec<(u32, u64)>,
    },
}

impl Collective {
    /// Data that this rank sends; none of a barrier.
    pub fn bytes_mut(&mut self) -> Option<&mut ByteBuf> {
        match self {
            Collective::Barrier => None,
            Collective::Broadcast { bytes, .. }
            | Collective::Gather { bytes, .. }
            | Collective::Scatter { bytes, .. }
            | Collective::Allgather { bytes, .. }
            | Collective::Alltoall { bytes, .. }
            | Collective::Neighbours { bytes, .. }
            | Collective::Reduce { bytes, .. }
            | Collective::ReduceScatter { bytes, .. }
            | Collective::Scan { bytes, .. } => Some(bytes),
        }
    }
}

/// The operation of a reduction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reduction {
    /// Predefined operation and datatype, by their numbers in the standard ABI.
    Predefined {
        /// `MPI_SUM` and others.
        operation: u32,
        /// `MPI_INT` and others.
        datatype: u32,
    },
    /// A function of the program; [`Answer::Reduce`] has the rank call it.
    User {
        /// Number of the operation in this process.
        operation: u32,
        /// Number of the datatype in this process.
        datatype: u32,
        /// Bytes of a packed element.
        element: u64,
        /// Operands may be exchanged.
        commutative: bool,
    },
}

/// An answer of the simulator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// The call has succeeded and returns nothing.
    Done,
    /// The answer to [`Call::Init`].
    World {
        /// Rank of the process in `MPI_COMM_WORLD`.
        rank: u32,
        /// Processes of `MPI_COMM_WORLD` in the order of ranks, by their numbers in the run.
        processes: Vec<u32>,
        /// Name of the host: `node0`.
        processor: String,
        /// Intercommunicator to the processes that started this one, if some did.
        parent: Option<CommunicatorInfo>,
        /// Hosts of the run, if there may be more than ranks.
        universe: Option<u32>,
        /// Number of this program among those that were started together.
        application: u32,
        /// Whether the simulator can access the memory of the process.
        reaches_memory: bool,
    },
    /// Name of a port.
    Name(String),
    /// Number of the request of a nonblocking call.
    Request(u32),
    /// Completed requests, each with its index in the call.
    Completed(Vec<(u32, CompletedRequest)>),
    /// The message that a probe has found.
    Probed(Option<ProbedMessage>),
    /// A truth value.
    Flag(bool),
    /// A look has found nothing, and the same look finds nothing before `until_ps`. The rank need not ask for it.
    Nothing {
        /// Virtual time, in ps.
        until_ps: u64,
        /// Virtual time that a look takes, in ps.
        look_ps: u64,
    },
    /// The new communicator; none if the rank does not belong to it.
    Communicator(Option<CommunicatorInfo>),
    /// The call has failed.
    Failed(CallError),
    /// A question in the middle of a collective call: the rank combines two operands, replies [`Call::Reduced`] and
    /// goes on waiting.
    Reduce {
        /// Number of the operation in this process.
        operation: u32,
        /// Number of the datatype in this process.
        datatype: u32,
        /// Operand of the lower ranks, packed.
        first: ByteBuf,
        /// Operand of the higher ranks, packed.
        second: ByteBuf,
    },
    /// A question in the middle of a call: the rank replies [`Call::Location`] and goes on waiting.
    Locate,
    /// Number of a new window.
    Window(u32),
    /// The call of this thread is complete.
    OfThread {
        /// Number of the thread.
        thread: u32,
        /// Answer to its call.
        answer: Box<Answer>,
    },
    /// All calls of the process wait, so that another of its threads can run, or the time of [`Call::Await`] is over.
    Waiting,
    /// A synchronization has ended: data for the origin's buffers, by the numbers of their destinations, and the error
    /// of an access.
    Landed {
        /// Destination and data of each get that is complete.
        data: Vec<(u32, ByteBuf)>,
        /// The first access that has failed.
        error: Option<CallError>,
    },
}

/// Status and data of a completed request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompletedRequest {
    /// Rank of the sender.
    pub source: u32,
    /// Tag of the message.
    pub tag: u32,
    /// Bytes of the message.
    pub length: u64,
    /// The receive was cancelled, so there is no message.
    pub cancelled: bool,
    /// The message, or the result of a collective operation, if it is not in its buffer.
    pub bytes: ByteBuf,
    /// The data is in its buffer.
    pub is_placed: bool,
    /// The error with which the request ended.
    pub error: Option<CallError>,
}

/// A message that a probe has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbedMessage {
    /// Number of the message, if the probe reserved it.
    pub message: Option<u32>,
    /// Rank of the sender.
    pub source: u32,
    /// Tag of the message.
    pub tag: u32,
    /// Bytes of the message.
    pub length: u64,
}

/// A communicator and its members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommunicatorInfo {
    /// Number of the communicator in further calls.
    pub number: u32,
    /// Numbers in the run of its processes, in the order of their ranks here; of an intercommunicator those of
    /// the local group.
    pub processes: Vec<u32>,
    /// The same of the remote group of an intercommunicator.
    pub remote: Option<Vec<u32>>,
}

/// An error that the program gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallError {
    /// Error class of the standard ABI.
    pub class: i32,
    /// Text of the error, without the name of the function.
    pub reason: String,
}

#[cfg(test)]
mod tests;
