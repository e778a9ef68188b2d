//! Rows of contexts: their readers and writers (decision 0060).

use hdl::Bits;

use super::Hca;
use crate::contexts::{Area, Attributes, Key, Queue, Reader, Requester, Responder};
use crate::{command, completion, host_port, receive_engine, scheduler, send_engine};

impl Hca {
    /// One clock edge of the RAMs of contexts and doorbells.
    #[inline(always)]
    pub(super) fn tick_rows(
        &mut self,
        host: &host_port::Out,
        scheduler: &scheduler::Out,
        command: &command::Out,
        send: &send_engine::Out,
        receive: &receive_engine::Out,
        completion: &completion::Out,
    ) {
        // The engine that runs reads the rows of its queue pair.
        let pair = if scheduler.send { scheduler.pair } else { receive.pair };
        let entry = if scheduler.send { send.entry } else { receive.entry };

        // Rows staged by the host.
        let staged = || {
            let mut words = [0; 4];
            host.staging_low.put(&mut words, 0, 128);
            host.staging_high.put(&mut words, 128, 128);
            words
        };
        let new_pair = || Attributes::take(&staged(), 0, Attributes::WIDTH);
        let row = usize::from(command.row);
        let loads = send.load || receive.load;
        self.attributes.tick(loads.then_some(pair.into()), command.pair_write.then(|| (row, new_pair())));
        self.requesters.tick(
            loads.then_some(pair.into()),
            if command.pair_write {
                Some((row, Requester { psn: new_pair().send_psn, ..Requester::default() }))
            } else {
                (send.store || receive.acknowledge)
                    .then_some((pair.into(), if scheduler.send { send.requester } else { receive.requester }))
            },
        );
        self.responders.tick(
            loads.then_some(pair.into()),
            if command.pair_write {
                Some((row, Responder { psn: new_pair().receive_psn, ..Responder::default() }))
            } else {
                (receive.store || send.answered)
                    .then_some((pair.into(), if scheduler.send { send.responder } else { receive.responder }))
            },
        );
        self.readers.tick(
            loads.then_some(pair.into()),
            if command.pair_write {
                Some((row, Reader::default()))
            } else {
                (receive.store || send.answered)
                    .then_some((pair.into(), if scheduler.send { send.reader } else { receive.reader }))
            },
        );
        self.queues.tick(
            completion.load.then_some(entry.ring.into()),
            if command.queue_write {
                Some((row & 3, Queue::take(&staged(), 0, Queue::WIDTH)))
            } else {
                completion.store.then_some((entry.ring.into(), completion.row))
            },
        );
        let key_address = if scheduler.send { send.key } else { receive.key };
        self.keys.tick(
            (send.key_load || receive.key_load).then_some(key_address.into()),
            command.key_write.then(|| (row, Area::of(&Key::take(&staged(), 0, Key::WIDTH)))),
        );
        let bell_address = if completion.load {
            32 | entry.ring
        } else if scheduler.send {
            pair
        } else {
            16 | pair
        };
        self.doorbells.tick(
            (loads || completion.load).then_some(bell_address.into()),
            if host.bell_write {
                Some((host.bell.into(), host.bell_value))
            } else {
                command.bell_clear.then_some((command.bell.into(), 0))
            },
        );
    }
}
