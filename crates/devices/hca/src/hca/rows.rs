//! Rows of contexts: their readers and writers (decision 0060).

use hdl::Bits;

use super::Hca;
use super::wires::Wires;
use crate::contexts::{
    Area, Attributes, CQ_BELLS, GROUP_ROWS, Group, Key, Limit, Queue, RECEIVE_BELLS, Reader, Requester,
    Responder, SEND_BELLS, SHARED_BELLS, SharedQueue,
};

impl Hca {
    /// One clock edge of the RAMs of contexts and doorbells.
    #[inline(always)]
    pub(super) fn tick_rows(&mut self, wires: &Wires) {
        self.tick_queue_pairs(wires);
        self.tick_requests(wires);
        self.tick_reads(wires);
        self.tick_queues_and_keys(wires);
        self.tick_shared_queues(wires);
        self.tick_groups(wires);
        self.tick_doorbells(wires);
    }

    /// One clock edge of the rows of queue pairs.
    #[inline(always)]
    fn tick_queue_pairs(&mut self, wires: &Wires) {
        let pair = wires.pair();
        let row = usize::from(wires.command.row & 0xff);
        let loads = wires.loads();
        let new_pair = || Attributes::take(&wires.staged(), 0, Attributes::WIDTH);
        self.attributes
            .tick(loads.then_some(pair.into()), wires.command.attributes_write.then(|| (row, new_pair())));
        self.requesters.tick(
            loads.then_some(pair.into()),
            if wires.command.send_reset {
                Some((row, Requester { psn: new_pair().send_psn, ..Requester::default() }))
            } else {
                (wires.send.store || wires.receive.acknowledge).then_some((
                    pair.into(),
                    if wires.scheduler.send { wires.send.requester } else { wires.receive.requester },
                ))
            },
        );
        self.responders.tick(
            loads.then_some(pair.into()),
            if wires.command.receive_reset {
                Some((row, Responder { psn: new_pair().receive_psn, ..Responder::default() }))
            } else {
                (wires.receive.store || wires.send.answered).then_some((
                    pair.into(),
                    if wires.scheduler.send { wires.send.responder } else { wires.receive.responder },
                ))
            },
        );
        self.readers.tick(
            loads.then_some(pair.into()),
            if wires.command.receive_reset {
                Some((row, Reader::default()))
            } else {
                (wires.receive.store || wires.send.answered || wires.send.yielded).then_some((
                    pair.into(),
                    if wires.scheduler.send { wires.send.reader } else { wires.receive.reader },
                ))
            },
        );
    }

    /// One clock edge of the rows of outstanding requests.
    #[inline(always)]
    fn tick_requests(&mut self, wires: &Wires) {
        let (send, receive) = (&wires.send, &wires.receive);
        if !(send.request_load || send.request_store || receive.request_load) {
            return;
        }
        let place = if wires.scheduler.send { send.request_place } else { receive.request_place };
        let address = usize::from(wires.pair()) << 4 | usize::from(place);
        self.requests.tick(
            (send.request_load || receive.request_load).then_some(address),
            send.request_store.then_some((address, send.request)),
        );
    }

    /// One clock edge of the rows of RDMA READs of the peers that wait.
    #[inline(always)]
    fn tick_reads(&mut self, wires: &Wires) {
        let (send, receive) = (&wires.send, &wires.receive);
        if !(send.read_load || receive.read_store) {
            return;
        }
        let row = |place: u8| usize::from(wires.pair()) << 4 | usize::from(place);
        self.reads.tick(
            send.read_load.then(|| row(send.read_place)),
            receive.read_store.then(|| (row(receive.read_place), receive.read)),
        );
    }

    /// One clock edge of the rows of completion queues and of registered areas.
    #[inline(always)]
    fn tick_queues_and_keys(&mut self, wires: &Wires) {
        let entry = wires.entry();
        let row = usize::from(wires.command.row);
        self.queues.tick(
            wires.completion.load.then_some(entry.ring.into()),
            if wires.command.queue_write {
                Some((row & 0xff, Queue::take(&wires.staged(), 0, Queue::WIDTH)))
            } else {
                wires.completion.store.then_some((wires.completion.ring.into(), wires.completion.row))
            },
        );
        let key_address = if wires.scheduler.send { wires.send.key } else { wires.receive.key };
        self.keys.tick(
            (wires.send.key_load || wires.receive.key_load).then_some(key_address.into()),
            wires.command.key_write.then(|| (row, Area::of(&Key::take(&wires.staged(), 0, Key::WIDTH)))),
        );
    }

    /// One clock edge of the rows of shared receive queues.
    #[inline(always)]
    fn tick_shared_queues(&mut self, wires: &Wires) {
        let (command, receive) = (&wires.command, &wires.receive);
        if !(receive.shared_load || receive.shared_store || command.shared_write || command.limit_write) {
            return;
        }
        let row = usize::from(command.row & 3);
        let number = usize::from(receive.shared_queue);
        let read = receive.shared_load.then_some(number);
        self.shared_queues.tick(
            read,
            if command.shared_write {
                Some((row, SharedQueue::take(&wires.staged(), 0, SharedQueue::WIDTH)))
            } else {
                receive.shared_store.then_some((number, receive.shared))
            },
        );
        self.limits.tick(
            read,
            if command.limit_write {
                Some((row, Limit::take(&wires.staged(), 0, Limit::WIDTH)))
            } else {
                receive.sinks.then_some((number, Limit::default()))
            },
        );
    }

    /// One clock edge of the rows of multicast groups.
    #[inline(always)]
    fn tick_groups(&mut self, wires: &Wires) {
        let (command, receive) = (&wires.command, &wires.receive);
        if receive.group_load || command.group_write {
            let row = usize::from(command.row) % GROUP_ROWS;
            self.groups.tick(
                receive.group_load.then_some(receive.group.into()),
                command.group_write.then(|| (row, Group::take(&wires.staged(), 0, Group::WIDTH))),
            );
        }
    }

    #[inline(always)]
    fn tick_doorbells(&mut self, wires: &Wires) {
        let pair = wires.served();
        let reads = wires.send.load || wires.receive.load || wires.send.drain;
        let bell_address = if wires.receive.shared_load {
            SHARED_BELLS | u16::from(wires.receive.shared_queue)
        } else if wires.scheduler.send && !wires.send.drain {
            SEND_BELLS | u16::from(pair)
        } else {
            RECEIVE_BELLS | u16::from(pair)
        };
        let write = if wires.host.bell_write {
            Some((wires.host.bell, wires.host.bell_value))
        } else {
            wires.command.bell_clear.then_some((wires.command.bell, 0))
        };
        let write_of = |cqs: bool| {
            write
                .filter(|(bell, _)| (*bell >= CQ_BELLS) == cqs)
                .map(|(bell, count)| (usize::from(if cqs { bell - CQ_BELLS } else { bell }), count))
        };
        self.doorbells
            .tick((reads || wires.receive.shared_load).then_some(bell_address.into()), write_of(false));
        self.cq_doorbells.tick(wires.completion.load.then_some(wires.entry().ring.into()), write_of(true));
    }
}

impl Wires {
    /// Queue pair of the engine or command that runs.
    #[inline(always)]
    pub(super) fn pair(&self) -> u8 {
        if self.scheduler.send {
            self.scheduler.pair
        } else if self.scheduler.command {
            self.host.row as u8
        } else {
            self.receive.pair
        }
    }

    /// Queue pair of the engine that runs; commands read no doorbell.
    #[inline(always)]
    fn served(&self) -> u8 {
        if self.scheduler.send { self.scheduler.pair } else { self.receive.pair }
    }

    /// Whether the engine or command that runs reads the rows of its queue pair.
    #[inline(always)]
    fn loads(&self) -> bool {
        self.send.load || self.receive.load || self.command.load
    }

    /// Row staged by the host.
    #[inline(always)]
    pub(super) fn staged(&self) -> [u64; 4] {
        let mut words = [0; 4];
        self.host.staging_low.put(&mut words, 0, 128);
        self.host.staging_high.put(&mut words, 128, 128);
        words
    }
}
