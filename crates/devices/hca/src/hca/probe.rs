//! Probe of the adapter: every register and pin by name.

use hdl::{Device, Probe, Role, Visitor};

use super::Hca;

impl Probe for Hca {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("host_port", &self.host_port);
        visitor.block("events", &self.events);
        visitor.block("scheduler", &self.scheduler);
        visitor.block("command", &self.command);
        visitor.block("attributes", &self.attributes);
        visitor.block("requesters", &self.requesters);
        visitor.block("requests", &self.requests);
        visitor.block("responders", &self.responders);
        visitor.block("readers", &self.readers);
        visitor.block("reads", &self.reads);
        visitor.block("queues", &self.queues);
        visitor.block("shared_queues", &self.shared_queues);
        visitor.block("limits", &self.limits);
        visitor.block("groups", &self.groups);
        visitor.block("keys", &self.keys);
        visitor.block("doorbells", &self.doorbells);
        visitor.block("cq_doorbells", &self.cq_doorbells);
        visitor.block("transmit_memory", &self.transmit_memory);
        visitor.block("receive_memory", &self.receive_memory);
        visitor.block("send_engine", &self.send_engine);
        visitor.block("receive_engine", &self.receive_engine);
        visitor.block("completion", &self.completion);
        visitor.block("host_dma", &self.host_dma);
        visitor.block("retry_timer", &self.retry_timer);
        visitor.block("link_transmit", &self.link_transmit);
        visitor.block("link_receive", &self.link_receive);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
