//! Shared memory on this machine: over connections, as messages of MPI, or over datagrams, as in the paper on Fagus
//! (section 3.2), through the kernel or without it.

use std::collections::VecDeque;
use std::time::Duration;

use cluster::Duration as Span;
use fagus::Error;
use fagus::carrier::machine::{Station, Step};
use machine_api::shared::{span, wall};
use machine_api::{Datagrams, Shared, SharedLibrary, StationOpening};

use crate::cost::Costs;
use crate::layout::RING;
use crate::port::{Completion, LONGEST_DATAGRAM, Port, SendError, Service};
use crate::{Hca, Settings};

impl Shared for Hca {
    const DATAGRAMS: &'static [Datagrams<Self>] = &[
        Datagrams {
            name: "ud",
            doc: "datagrams of InfiniBand, as published (Fagus/Verb); Fagus acknowledges them and sends them again",
            bytes: LONGEST_DATAGRAM,
            most_nodes: MOST_NODES,
            open: |_, _| over_datagrams(false),
        },
        Datagrams {
            name: "ipoib",
            doc: "the same through UDP/IP of the kernel (Fagus/IPonIB)",
            bytes: LONGEST_DATAGRAM - IP_HEADS,
            most_nodes: MOST_NODES,
            open: |_, _| over_datagrams(true),
        },
    ];

    fn library(settings: &Settings) -> SharedLibrary {
        let Costs { libcomm, instruction, .. } = settings.costs;
        SharedLibrary { cost: settings.library, message: libcomm, instruction }
    }
}

/// Nodes at most: each may have a message in flight to the same one, whose ring has a buffer for each. With more nodes
/// datagrams are lost.
const MOST_NODES: usize = RING as usize;

/// Bytes of IP over InfiniBand, IP and UDP in front of a datagram (RFC 4391: 4; RFC 791: 20; RFC 768: 8).
const IP_HEADS: usize = 4 + 20 + 8;

fn over_datagrams(kernel: bool) -> StationOpening<Hca> {
    Box::new(move |port| {
        Box::pin(async move {
            port.open().await;
            let station: Box<dyn Station> =
                Box::new(OverDatagrams { port, arrived: VecDeque::new(), kernel });
            station
        })
    })
}

/// A node of shared memory over the queue pair for datagrams.
struct OverDatagrams {
    port: Port,
    /// Datagrams that have arrived and were not yet taken by the library.
    arrived: VecDeque<(u16, Vec<u8>)>,
    /// Datagrams go through the kernel.
    kernel: bool,
}

impl OverDatagrams {
    /// Polls the completion queue once; returns whether a message has arrived.
    async fn poll(&mut self) -> bool {
        let Some(Completion::Received(message)) = self.port.poll().await else { return false };
        if message.service == Service::Datagram {
            self.arrived.push_back((message.from as u16, message.data));
        }
        true
    }

    /// The kernel takes all datagrams that have arrived, each in an interrupt of the process.
    async fn interrupts(&mut self) {
        while self.kernel && self.poll().await {
            let Costs { kernel_packet, kernel_interrupt, .. } = *self.port.host().costs();
            self.port.host().compute(kernel_interrupt + kernel_packet).await;
        }
    }
}

impl Station for OverDatagrams {
    fn now(&self) -> Duration {
        wall(self.port.host().processor().now())
    }

    fn send(&mut self, to: u16, bytes: Vec<u8>) -> Step<'_, Result<(), Error>> {
        Box::pin(async move {
            let Costs { kernel_call, kernel_packet, .. } = *self.port.host().costs();
            self.interrupts().await;
            if self.kernel {
                self.port.host().compute(kernel_call + kernel_packet).await;
            }
            // Copied into the ring for which the adapter has a key (paper, section 3.2.2), or into a buffer of the
            // kernel.
            self.port.host().copy(bytes.len()).await;
            loop {
                match self.port.send(to.into(), Service::Datagram, &bytes).await {
                    Ok(()) => return Ok(()),
                    Err(SendError::NoRoom) => self.poll().await,
                    Err(error) => return Err(Error::System(error.to_string())),
                };
            }
        })
    }

    fn look(&mut self) -> Step<'_, Option<(u16, Vec<u8>)>> {
        Box::pin(async move {
            self.interrupts().await;
            if self.arrived.is_empty() && !self.kernel {
                self.poll().await;
            }
            let arrived = self.arrived.pop_front()?;
            if self.kernel {
                self.port.host().compute(self.port.host().costs().kernel_call).await;
            }
            // Copied out of the slot, which takes the next datagram (paper, section 3.2.3), or out of the kernel's
            // buffer.
            self.port.host().copy(arrived.1.len()).await;
            Some(arrived)
        })
    }

    fn pause(&mut self, until: Option<Duration>) -> Step<'_, ()> {
        Box::pin(async move {
            let left = until.map_or(PAUSE, |until| span(until.saturating_sub(self.now())).min(PAUSE));
            self.port.host().compute(left).await;
        })
    }

    fn compute(&mut self, time: Duration) -> Step<'_, ()> {
        Box::pin(async move {
            let mut left = span(time);
            while self.kernel && left > INTERRUPTED {
                self.port.host().compute(INTERRUPTED).await;
                left = left - INTERRUPTED;
                self.interrupts().await;
            }
            self.port.host().compute(left).await;
        })
    }
}

/// Time between two checks for interrupts: shorter than the arrival of 16 datagrams. Own choice.
const INTERRUPTED: Span = Span::from_us(10);

/// Time between two polls of a library that waits and checks its timers. Own choice.
const PAUSE: Span = Span::from_ns(100);
