//! The driver's own queue pair, number 1, which carries the datagrams of the connection manager (decision 0084).
//!
//! It is made when the program opens the connection manager, and stays until the end of the run, also when the program
//! has ended. The driver looks at it at intervals of [`LOOK`], whatever the program does, as an interrupt handler would.

use cluster::host::Looking;
use cluster::{Duration, Time, Waiting};
use hca::layout::{GRH_BYTES, Operation, SEND_WQE_BYTES, SendWqe};
use hca::registers::Doorbell;

use super::Reply;
use super::adapter::{Adapter, DOMAINS};
use super::errno::ENOMEM;
use super::management_pair::{MANAGEMENT_PAIR, Management};
use super::queue_pair::{Receive, Send};
use super::transitions::state::{INIT, READY_TO_RECEIVE, READY_TO_SEND};
use crate::verbs::call::mask::{PARTITION, PORT, Q_KEY, SEND_PSN, STATE};
use crate::verbs::call::{Answer, Buffer, QueuePairAttributes, QueuePairInit, Service};
use crate::verbs::connections::call::{ConnectionAnswer, ConnectionCall};
use crate::verbs::connections::{Manager, mad::MAD_BYTES};

/// Time between two looks, as that from a completion to the program (decision 0066).
const LOOK: Duration = Duration::from_us(10);
/// Time of a call of the connection manager: a system call (our choice).
const SYSTEM_CALL: Duration = Duration::from_us(1);
/// Datagrams that have room at once (our choice).
const BUFFERS: u32 = 64;
/// Bytes of each buffer: the place of a route header and a datagram.
const BUFFER_BYTES: u32 = 512;
/// Q_Key of queue pair 1 (IBA volume 1, section 10.2.4.5).
const MANAGEMENT_Q_KEY: u32 = 0x8001_0000;

impl Adapter {
    /// Carries out a call of the connection manager.
    pub(super) async fn carry_out_connection(&mut self, call: ConnectionCall) -> Reply {
        // The library looks for events when the program waits for one; a look that finds none is part of the wait.
        if !matches!(call, ConnectionCall::TakeEvent(_)) {
            self.spend(SYSTEM_CALL).await;
        }
        if self.management.is_none() {
            self.open_management().await?;
        }
        let now = self.host().processor().now();
        let Some(management) = &mut self.management else { return Err(ENOMEM) };
        let answer = management.manager.carry_out(call, now).map_err(|error| error.raw_os_error())?;
        self.send_datagrams().await;
        Ok(match answer {
            ConnectionAnswer::Done => Answer::Done,
            ConnectionAnswer::Number(number) => Answer::Number(number),
            answer => Answer::Connection(answer),
        })
    }

    /// Makes queue pair 1 with its completion queue and its buffers.
    async fn open_management(&mut self) -> Result<(), i32> {
        let domain = (1..DOMAINS).rev().find(|domain| !self.domains[*domain]).ok_or(ENOMEM)?;
        let Answer::CompletionQueue(queue, _) = self.create_completion_queue(2 * BUFFERS).await? else {
            return Err(ENOMEM);
        };
        self.domains[domain] = true;
        let key = self.bounce_key(domain as u8).await?;
        let base = self.bounce.allocate(u64::from(2 * BUFFERS * BUFFER_BYTES))?;
        let init = QueuePairInit {
            service: Service::Datagram,
            domain: domain as u8,
            send_queue: queue,
            receive_queue: queue,
            sends: BUFFERS,
            receives: BUFFERS,
            send_pieces: 1,
            receive_pieces: 1,
            inline: 0,
        };
        self.make_queue_pair(Some(MANAGEMENT_PAIR), init, None)?;
        for count in 0..BUFFERS {
            self.put_receive(key, base, count)?;
        }
        let attributes = QueuePairAttributes { port: 1, q_key: MANAGEMENT_Q_KEY, ..Default::default() };
        let steps = [
            (INIT, STATE | PARTITION | PORT | Q_KEY),
            (READY_TO_RECEIVE, STATE),
            (READY_TO_SEND, STATE | SEND_PSN),
        ];
        for (state, mask) in steps {
            let change = QueuePairAttributes { state, mask, ..attributes };
            self.modify_queue_pair(MANAGEMENT_PAIR as u8, change).await?;
        }
        let (listeners, groups) = (self.directory.listeners(), self.directory.groups());
        let manager = Manager::new(self.lid(), self.hosts(), listeners, groups);
        let next_look = self.host().processor().now();
        self.management = Some(Management { manager, queue, key, base, next_look });
        Ok(())
    }

    /// Posts the buffer of this count for an arriving datagram, without a doorbell.
    fn put_receive(&mut self, key: u32, base: u32, count: u32) -> Result<(), i32> {
        let offset = base + count % BUFFERS * BUFFER_BYTES;
        let buffer = Buffer { key, offset: offset.into(), length: BUFFER_BYTES };
        let pair = self.pair(MANAGEMENT_PAIR as u8)?;
        let count = pair.receives.push(Receive { id: offset.into(), buffer, bounce: None });
        self.write_receive(MANAGEMENT_PAIR as u8, count)
    }

    /// Whether the program has opened the connection manager.
    pub(super) fn manages_connections(&self) -> bool {
        self.management.is_some()
    }

    /// Whether one of these channels has an event.
    pub(super) fn has_connection_event(&self, channels: &[u32]) -> bool {
        self.management.as_ref().is_some_and(|management| management.manager.has_event(channels))
    }

    /// Looks at queue pair 1, if it is time: takes datagrams, and sends those that are due.
    pub(super) async fn serve_connections(&mut self) {
        let now = self.host().processor().now();
        let Some(management) = &mut self.management else { return };
        if now < management.next_look {
            return;
        }
        management.next_look = now + LOOK;
        let (queue, key, base) = (management.queue, management.key, management.base);
        let mut has_received = false;
        while let Ok(Some(completion)) = self.consume(queue).await {
            if !completion.operation.is_receive() {
                continue;
            }
            let address = completion.id as u32;
            if completion.status == 0 && completion.bytes == GRH_BYTES + MAD_BYTES as u32 {
                let bytes = self.host().memory(address + GRH_BYTES, MAD_BYTES);
                self.host().copy(MAD_BYTES).await;
                if let Some(management) = &mut self.management {
                    management.manager.receive(completion.source_lid, &bytes, now);
                }
            }
            has_received |= self.put_receive(key, base, (address - base) / BUFFER_BYTES).is_ok();
        }
        if has_received && let Ok(pair) = self.pair(MANAGEMENT_PAIR as u8) {
            pair.receives.rung = pair.receives.posted;
            let posted = pair.receives.posted;
            self.host().ring(Doorbell::ReceiveBell, MANAGEMENT_PAIR as u8, posted).await;
        }
        if let Some(management) = &mut self.management {
            management.manager.advance(now);
        }
        self.send_datagrams().await;
        if self.host().processor().now() > now {
            self.forget_ahead();
        }
    }

    /// Sends the datagrams of the connection manager.
    async fn send_datagrams(&mut self) {
        let mut has_sent = false;
        while let Some(management) = &mut self.management {
            let (key, base) = (management.key, management.base);
            let Ok(pair) = self.pair(MANAGEMENT_PAIR as u8) else { return };
            if !pair.sends.has_room() {
                // The others are sent at the next look.
                break;
            }
            let Some((lid, bytes)) = self.management.as_mut().and_then(|own| own.manager.take_datagram())
            else {
                break;
            };
            let Ok(pair) = self.pair(MANAGEMENT_PAIR as u8) else { return };
            let count = pair.sends.push(Send { signalled: true, ..Send::default() });
            let index = pair.sends.index(count) as u32;
            let entry = pair.sends.base + SEND_WQE_BYTES * index;
            let address = base + (BUFFERS + index) * BUFFER_BYTES;
            let wqe = SendWqe {
                operation: Operation::Send.code(),
                signalled: true,
                address,
                length: MAD_BYTES as u32,
                l_key: key,
                destination: MANAGEMENT_PAIR as u32,
                lid,
                q_key: MANAGEMENT_Q_KEY,
                ..SendWqe::default()
            };
            self.host().set_memory(address, &bytes);
            self.host().set_memory(entry, &wqe.bytes());
            self.host().compute(self.host().costs().post).await;
            has_sent = true;
        }
        if has_sent && let Ok(pair) = self.pair(MANAGEMENT_PAIR as u8) {
            pair.sends.rung = pair.sends.posted;
            let posted = pair.sends.posted;
            self.host().ring(Doorbell::SendBell, MANAGEMENT_PAIR as u8, posted).await;
        }
    }

    /// Waits until `time`; the connection manager goes on meanwhile.
    pub(super) async fn rest_until(&mut self, time: Time, waiting: Waiting) {
        loop {
            self.serve_connections().await;
            let next = match &self.management {
                Some(management) => time.min(management.next_look),
                None => time,
            };
            self.host().processor().until(next, waiting).await;
            if self.host().processor().now() >= time {
                return;
            }
        }
    }

    /// Ends a turn of a loop that waits for the adapter. Turns are not skipped while the connection manager has to look.
    pub(super) async fn end_turn(&mut self, looking: &mut Looking) {
        match self.management {
            Some(_) => self.serve_connections().await,
            None => looking.again().await,
        }
    }

    /// The program has ended: its connections end.
    pub(super) async fn close_connections(&mut self) {
        let now = self.host().processor().now();
        if let Some(management) = &mut self.management {
            management.manager.close(now);
            self.send_datagrams().await;
        }
    }
}
