//! PM, the user-level message library of the RWC clusters.
//!
//! Four calls move a message (GigaE PM paper, section 4.5): `_PM_getsendBuf` and `_PM_sendmsg` on one side,
//! `_PM_receive` and `_PM_putreceiveBuf` on the other. [`Endpoint`] has these four and those that open and close a
//! channel; a program written against it runs on any implementation. [`memory::Cluster`] is a cluster in memory with
//! link fault injection, whose messages go through the protocol of the NIC ([`pm_protocol`]). [`software`] is that
//! protocol for one node, as the driver of an ordinary card runs it. [`carrier`] is MPI over PM.
//!
//! ```
//! use pm::memory::{Cluster, Settings};
//! use pm::{Channel, Endpoint, NodeId};
//!
//! async fn program(mut port: impl Endpoint) -> Vec<u8> {
//!     let channel = Channel::new(0).unwrap();
//!     port.open(channel, 1).await.unwrap();
//!     let other = NodeId(1 - port.node().0);
//!     port.send(channel, other, b"hello").await.unwrap();
//!     port.next(channel).await.to_vec()
//! }
//!
//! let cluster = Cluster::new(2, Settings::default());
//! let programs = [0, 1].map(|node| program(cluster.port(NodeId(node))));
//! assert_eq!(cluster.run(1000, programs), Ok(vec![b"hello".to_vec(), b"hello".to_vec()]));
//! ```

mod buffer;
pub mod carrier;
mod channel;
mod endpoint;
pub mod memory;
pub mod programs;
pub mod software;

pub use buffer::{Received, SendBuffer};
pub use channel::Channel;
pub use cluster::NodeId;
pub use endpoint::{Endpoint, GetSendBufferError, OpenError, SendError};
