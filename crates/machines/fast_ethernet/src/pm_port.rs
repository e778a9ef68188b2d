//! The calls of PM on a host whose driver implements it.

use std::rc::Rc;

use cluster::Cpu;
use pm::{Channel, Endpoint, GetSendBufferError, NodeId, OpenError, Received, SendBuffer, SendError};

use crate::pm_ethernet::PmEthernet;

/// The endpoint of a program.
///
/// Building a message costs a copy of its words, sending it a system call; the card takes it in place. A look reads a
/// flag in memory. So does returning a buffer, unless the sender was told to stop.
pub struct PmPort {
    cpu: Cpu,
    pm: Rc<PmEthernet>,
    /// Changes seen by the last look.
    seen: u64,
}

impl PmPort {
    pub(crate) fn new(cpu: Cpu, pm: Rc<PmEthernet>) -> Self {
        PmPort { cpu, pm, seen: 0 }
    }

    async fn system_call(&self) {
        self.cpu.compute(self.pm.costs().system_call).await;
    }

    /// Looks at memory. Later changes end the next [`pause`](Endpoint::pause).
    async fn look(&mut self) {
        self.seen = self.pm.changes();
        self.cpu.compute(self.pm.costs().turn).await;
    }
}

impl Endpoint for PmPort {
    fn node(&self) -> NodeId {
        self.pm.id()
    }

    fn most_bytes(&self) -> usize {
        self.pm.with(|node, _| node.most_bytes())
    }

    async fn open(&mut self, channel: Channel, session: u16) -> Result<(), OpenError> {
        self.system_call().await;
        self.pm.with(|node, _| node.open(channel, session, self.pm.nodes()))
    }

    async fn close(&mut self, channel: Channel) {
        self.system_call().await;
        self.pm.with(|node, _| node.close(channel));
    }

    async fn get_send_buffer(
        &mut self,
        channel: Channel,
        size: usize,
    ) -> Result<SendBuffer, GetSendBufferError> {
        self.look().await;
        self.pm.with(|node, _| node.get_send_buffer(channel, size))
    }

    async fn send_message(&mut self, buffer: SendBuffer, to: NodeId) -> Result<(), SendError> {
        self.cpu.compute(self.pm.costs().copy * buffer.len().div_ceil(4) as u64).await;
        self.system_call().await;
        self.pm.with(|node, _| node.send_message(buffer, to))?;
        self.pm.step(&self.cpu).await;
        Ok(())
    }

    async fn receive(&mut self, channel: Channel) -> Option<Received> {
        self.look().await;
        self.pm.with(|node, _| node.receive(channel))
    }

    async fn put_receive_buffer(&mut self, message: Received) {
        let told = self.pm.with(|node, out| {
            node.put_receive_buffer(message, out);
            !out.is_empty()
        });
        self.cpu.compute(self.pm.costs().turn).await;
        if told {
            self.system_call().await;
            self.pm.transmit(&self.cpu).await;
        }
    }

    /// The program polls. Polls that find no change are skipped, because memory does not change meanwhile.
    async fn pause(&mut self) {
        if self.pm.changes() == self.seen {
            self.pm.change(&self.cpu).await;
        }
        self.cpu.compute(self.pm.costs().turn).await;
    }
}
