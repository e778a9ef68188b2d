//! The paper's two benchmarks over TCP/IP: a message back and forth, and a stream (sections 5.1 and 5.2).
//!
//! They send and check the same bytes as those of PM (see [`crate::measure`]), without message boundaries.

use pm::NodeId;
use pm::programs::{Wrong, message};

use super::{ConnectError, Tcp, TcpStream};
use crate::measure::{MeasureError, Turns, finish};
use crate::{Cluster, Programs};
use cluster::{Duration, Output, Time};

/// The port that is used.
const PORT: u16 = 5_001;

/// Exchanges `rounds` messages of the same size between node 0 and node 1; returns the arrival time of each answer.
pub fn round_trips(cluster: &mut Cluster, size: usize, rounds: u32) -> Result<Vec<Time>, MeasureError> {
    let turns = Turns::default();
    let notes = turns.clone();
    let ping = cluster.spawn_tcp(0, "ping", move |tcp| async move {
        let mut stream = tcp.connect(NodeId(1), PORT).await?;
        for number in 0..rounds {
            stream.write(&message(NodeId(0), number, size)).await?;
            take(&mut stream, NodeId(1), number, size).await?;
            notes.borrow_mut().push(tcp.host().processor().now());
        }
        Ok(())
    });
    let pong = serve(cluster, "pong", async move |_, mut stream| {
        for number in 0..rounds {
            take(&mut stream, NodeId(0), number, size).await?;
            stream.write(&message(NodeId(1), number, size)).await?;
        }
        Ok(())
    });
    finish(cluster, [ping, pong], &turns, rounds)
}

/// Sends `count` messages from node 0 to node 1, after others that open the windows; returns the time from the first
/// byte written to the last one read.
pub fn stream(
    cluster: &mut Cluster,
    size: usize,
    opening: u32,
    count: u32,
) -> Result<Duration, MeasureError> {
    let turns = Turns::default();
    let (begin, end) = (turns.clone(), turns.clone());
    let source = cluster.spawn_tcp(0, "source", move |tcp| async move {
        let mut stream = tcp.connect(NodeId(1), PORT).await?;
        for number in 0..opening + count {
            if number == opening {
                begin.borrow_mut().push(tcp.host().processor().now());
            }
            stream.write(&message(NodeId(0), number, size)).await?;
        }
        Ok(())
    });
    let sink = serve(cluster, "sink", async move |tcp: Tcp, mut stream| {
        for number in 0..opening + count {
            take(&mut stream, NodeId(0), number, size).await?;
        }
        end.borrow_mut().push(tcp.host().processor().now());
        Ok(())
    });
    let turns = finish(cluster, [source, sink], &turns, opening + count)?;
    Ok(turns[1] - turns[0])
}

/// Starts a program on node 1 that accepts the first connection to the port.
fn serve(
    cluster: &mut Cluster,
    name: &'static str,
    program: impl AsyncFnOnce(Tcp, TcpStream) -> Result<(), MeasureError> + 'static,
) -> Output<Result<(), MeasureError>> {
    cluster.spawn_tcp(1, name, move |tcp| async move {
        let mut listener = tcp.listen(PORT, 4).await.map_err(|_| ConnectError::NoSuchPort)?;
        let stream = listener.accept().await;
        program(tcp, stream).await
    })
}

/// Reads message `number` of a node and checks it.
async fn take(stream: &mut TcpStream, from: NodeId, number: u32, size: usize) -> Result<(), MeasureError> {
    let got = stream.read_exact(size).await?;
    let right = got == message(from, number, size);
    if right { Ok(()) } else { Err(Wrong::Message { from: from.0, number }.into()) }
}
