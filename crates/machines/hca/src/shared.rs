//! How nodes of this machine share memory: over connections, as messages of MPI, or over datagrams, as the paper on Fagus has it (section 3.2), with the kernel
//! between or without it.

use std::collections::VecDeque;
use std::time::Duration;

use cluster::Duration as Span;
use fagus::Error;
use fagus::carrier::machine::{Station, Step};
use hca::contexts::QPS;
use lab::shared::{span, wall};
use lab::{Datagrams, Shared, StationOpening};

use crate::cost::Costs;
use crate::port::{Completion, LONGEST_DATAGRAM, Port, SendError, Service};
use crate::{Hca, Settings};

impl Shared for Hca {
    const DATAGRAMS: &'static [Datagrams<Self>] = &[
        Datagrams {
            name: "ud",
            doc: "datagrams of InfiniBand, as published (Fagus/Verb); Fagus acknowledges them and sends them again",
            bytes: LONGEST_DATAGRAM,
            most_nodes: QPS,
            open: |_, _| over_datagrams(false),
        },
        Datagrams {
            name: "ipoib",
            doc: "the same through UDP/IP of the kernel (Fagus/IPonIB)",
            bytes: LONGEST_DATAGRAM - IP_HEADS,
            most_nodes: QPS,
            open: |_, _| over_datagrams(true),
        },
    ];

    fn library(settings: &Settings) -> Span {
        settings.costs.libcomm
    }
}

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

/// A queue pair for datagrams in the hands of a node.
struct OverDatagrams {
    port: Port,
    /// What came while a datagram waited for a place in the ring.
    arrived: VecDeque<(u16, Vec<u8>)>,
    /// Datagrams are those of the kernel.
    kernel: bool,
}

impl OverDatagrams {
    /// One look at the completion queue; whether a datagram has come.
    async fn poll(&mut self) -> bool {
        let Some(Completion::Received(message)) = self.port.poll().await else { return false };
        if message.service == Service::Datagram {
            self.arrived.push_back((message.from as u16, message.data));
        }
        true
    }

    /// The kernel takes all that has come, whatever the process is doing; each interrupts it.
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
            // Into the ring that the adapter has a key for (paper, section 3.2.2), or into a buffer of the kernel.
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
            // Out of the slot, which takes the next datagram (paper, section 3.2.3), or out of the kernel's buffer.
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

/// How long a process runs until it is seen whether it is interrupted: less than it takes 16 datagrams to come. Ours.
const INTERRUPTED: Span = Span::from_us(10);

/// Between two looks of a library that waits: it looks at its timers, too. Ours.
const PAUSE: Span = Span::from_ns(100);
