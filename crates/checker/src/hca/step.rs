//! How one state leads to the next: a turn of a send queue, a packet that arrives, a fault.
//!
//! The rules are [`requester::apply`], [`requester::over`] and [`responder::apply`], which the adapter runs. Here are the
//! comparisons that its engines make for the inputs of the rules (`send_engine`, state Look; `receive_engine`, states Look and
//! Admit), and what they do with the outputs. A data packet brings one byte, so that its number in a request is its address.

use ::hca::contexts::{self, OUTSTANDING, Read, Reader, Requester, Responder};
use ::hca::layout::{Operation, Status};
use ::hca::protocol::{requester, responder};

use super::defect::Defect;
use super::world::{
    ADDEND, ALWAYS, Action, FIRST_PSN, FaultBudget, PSN_MASK, Packet, RNR_TIMER, Request, SECOND_PSN, SIDES,
    Side, State, World, distance,
};
use super::wrong::Wrong;

/// Bytes of a packet.
const MTU: u16 = 1;

/// The effects of an action, for its words.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The packet that left.
    pub sent: Option<Packet>,
    /// The packet that arrived, or was lost.
    pub taken: Option<Packet>,
    /// It was executed.
    pub executed: bool,
    /// Requests that ended, and how.
    pub completed: Vec<(u8, Status)>,
}

/// The effect of a packet on the memory of a queue pair.
fn execute(side: &mut Side, request: Request, number: u8, address: usize) {
    let cell = side.memory.get_mut(address);
    match (request, cell) {
        (Request::Write(_), Some(cell)) => *cell = number + 1,
        (Request::Add, Some(cell)) => *cell = cell.wrapping_add(ADDEND),
        _ => {}
    }
}

/// Whether a queue pair is in the error state: one of its queues has failed.
fn is_broken(side: &Side) -> bool {
    side.requester.failed || side.responder.failed
}

/// Whether a PSN is at another one or before it.
fn reaches(last: u32, psn: u32) -> bool {
    distance(psn, last) >> 23 == 0
}

pub(super) fn operation(request: Request) -> Operation {
    match request {
        Request::Send(_) => Operation::Send,
        Request::Write(_) => Operation::RdmaWrite,
        Request::Read(_) => Operation::RdmaRead,
        Request::Add => Operation::FetchAdd,
    }
}

/// The next packet of data of an RDMA READ, or the saved answer of an atomic operation.
fn data(side: &Side) -> Packet {
    let Reader { psn, last, address, atomic, .. } = side.reader;
    if atomic {
        Packet::Original { psn, value: side.reader.original() as u8 }
    } else {
        Packet::Response { psn, value: side.memory[address as usize], ends: psn == last }
    }
}

/// Whether data answer a request.
fn is_read(request: Request) -> bool {
    matches!(request, Request::Read(_) | Request::Add)
}

/// Whether data answer the request of a row, and whether these are the original value of an atomic operation.
fn answered_by_data(row: &Requester) -> (bool, bool) {
    let is_atomic = row.operation == Operation::FetchAdd.code();
    (is_atomic || row.operation == Operation::RdmaRead.code(), is_atomic)
}

impl World {
    /// The state in which everything begins.
    pub(super) fn start(&self) -> State {
        assert!(self.retries < 7, "the counter of retries ends at 7");
        let side = |me: usize| {
            let sends = self.requests[1 - me].iter().filter(|request| matches!(request, Request::Send(_)));
            // One WQE more than SENDs, for one that is executed twice.
            let enough = 1 + sends.count() as u8 + self.shared.unwrap_or(0);
            let posted = if self.slow { 0 } else { enough };
            let mut side = Side { posted, second: me == 1, ..Side::default() };
            side.requester.psn = FIRST_PSN;
            side.responder.psn = FIRST_PSN;
            side
        };
        let Self { losses, repeats, early, overtakes, remakes, .. } = *self;
        let others = self.shared.unwrap_or(0);
        let left = FaultBudget { losses, repeats, early, overtakes, remakes, others };
        let mut state = State { sides: SIDES.map(side), wires: Default::default(), left, wrong: None };
        if self.eager {
            self.settle(&mut state);
        }
        state
    }

    /// Send queues take turns until none can.
    fn settle(&self, state: &mut State) {
        while let Some(next) = SIDES.iter().find_map(|me| {
            let mut next = state.clone();
            self.turn(&mut next, *me, false).filter(|_| next != *state).map(|_| next)
        }) {
            *state = next;
        }
    }

    /// The number of the oldest outstanding request, or of the next one.
    fn current(&self, side: &Side) -> u8 {
        side.requester.consumed as u8
    }

    /// Work requests that are not completed.
    fn outstanding(&self, state: &State, me: usize) -> usize {
        self.requests[me].len() - usize::from(self.current(&state.sides[me]))
    }

    /// All requests of both queue pairs have a completion.
    pub(super) fn has_completed(&self, state: &State) -> bool {
        SIDES.iter().all(|me| self.outstanding(state, *me) == 0)
    }

    /// A rule of a requester is applied.
    fn request(&self, side: &mut Side, pins: requester::In) -> requester::Out {
        let row = side.requester;
        let pins = requester::In { row, ..pins };
        let mut out = requester::apply(&self.defect.map_or(pins, |defect| defect.asks(pins)));
        out.row = self.defect.map_or(out.row, |defect| defect.requested(&row, out.row));
        side.requester = out.row;
        out
    }

    /// The next outstanding request is the oldest one; `last` is the last PSN of that before it. An adapter has kept its
    /// row.
    fn advance(&self, side: &mut Side, last: u32) {
        let me = usize::from(side.second);
        let request = self.requests[me][usize::from(self.current(side))];
        let first = last.wrapping_add(1) & PSN_MASK;
        side.requester.advance(&contexts::Request {
            first,
            last: first.wrapping_add(u32::from(request.packets()) - 1) & PSN_MASK,
            signalled: true,
            operation: operation(request).code(),
            length: u32::from(request.packets()) * u32::from(MTU),
        });
    }

    /// The next packet to send: number of its request, number in it.
    fn next_packet(&self, side: &Side) -> (u8, u8) {
        let Requester { first, psn, sent, begun, .. } = side.requester;
        let number = self.current(side);
        if sent == begun {
            return (number + sent, 0);
        }
        let before = &self.requests[usize::from(side.second)][usize::from(number)..][..usize::from(sent)];
        let packets: u32 = before.iter().map(|request| u32::from(request.packets())).sum();
        (number + sent, distance(first.wrapping_add(packets), psn) as u8)
    }

    /// A rule of a responder is applied.
    fn respond(&self, side: &mut Side, pins: responder::In) -> responder::Out {
        let pins = responder::In { row: side.responder, reader: side.reader, next: side.reads[0], ..pins };
        let out = responder::apply(&pins);
        let out = self.defect.map_or(out, |defect| defect.responded(&pins, out));
        (side.responder, side.reader) = (out.row, out.reader);
        // The oldest of the RDMA READs that wait has place 0, unlike in an adapter.
        side.reads.rotate_left(usize::from(side.reader.place));
        side.reader.place = 0;
        side.reads[usize::from(side.reader.waiting)..].fill(Read::default());
        out
    }

    /// The RDMA READ that has been taken waits behind those before it.
    fn append(side: &mut Side, pins: &responder::In) {
        let responder::In { psn: first, address, length, .. } = *pins;
        let last = side.reader.newest;
        let place = usize::from(side.reader.waiting) - 1;
        side.reads[place] = Read { first, last, address, length, ..Read::default() };
    }

    /// A request ends. Judges whether it may end like this.
    fn complete(&self, state: &mut State, me: usize, done: &mut Effects, (number, status): (u8, u8)) {
        let Some(status) = Status::from_code(status) else { return };
        done.completed.push((number, status));
        let wrong = match status {
            Status::Success => (state.sides[1 - me].next.0 <= number).then_some(Wrong::Unexecuted),
            Status::RetryExceeded => {
                let hindered = state.sides[me].faults >= self.retries || is_broken(&state.sides[1 - me]);
                (!self.dead && !hindered).then_some(Wrong::GivesUp)
            }
            Status::RnrRetryExceeded => (self.rnr_retries == 7).then_some(Wrong::GivesUp),
            Status::Flushed => None,
            _ => Some(Wrong::Broken),
        };
        state.wrong = state.wrong.or(wrong);
    }

    /// The send queue has a turn: data of an RDMA READ go first, then an answer, then its own requests.
    pub(super) fn turn(&self, state: &mut State, me: usize, passed: bool) -> Option<Effects> {
        let mut done = Effects::default();
        if self.dead && me == 1 || state.wires[me].len() == self.room {
            return None;
        }
        let posted = self.outstanding(state, me).min(self.window.into());
        let side = &mut state.sides[me];
        let broken = is_broken(side);
        let answers = side.reader.active && !broken;
        let works = self.works(side, posted, passed);
        let yields = answers && side.reader.yields && !side.responder.answer && works;
        side.reader.yields &= !yields;
        if answers && !yields {
            let reader = side.reader;
            done.sent = Some(data(side));
            let cause = responder::Cause::Respond.code();
            self.respond(
                side,
                responder::In { cause, psn: reader.psn, read: true, mtu: MTU, ..Default::default() },
            );
        } else if side.responder.answer {
            side.responder.answer = false;
            let (psn, syndrome) = (side.responder.answer_psn, side.responder.syndrome);
            done.sent = Some(Packet::Answer { psn, syndrome });
        } else if broken && posted == 0 {
            self.flush(side)?;
        } else {
            let row = side.requester;
            let number = self.current(side);
            let out = self.give_turn(side, posted, passed);
            if out.finish {
                self.complete(state, me, &mut done, (number, out.status));
                return Some(done);
            }
            if side.requester.active {
                if !out.sends {
                    return (yields || side.requester != row).then_some(done);
                }
            } else if posted == 0 {
                return None;
            }
            let request = self.requests[me][usize::from(self.next_packet(side).0)];
            if Self::waits(&side.requester, request) {
                side.requester.held = true;
                return (yields || side.requester != row).then_some(done);
            }
            done.sent = Some(self.send(side, request));
        }
        state.wires[me].extend(done.sent);
        Some(done)
    }

    /// Whether a request waits until those before it are done: an atomic operation is outstanding alone, RDMA READs among
    /// themselves.
    fn waits(row: &Requester, request: Request) -> bool {
        let begins = row.sent == row.begun && row.sent != 0;
        let reads = matches!(request, Request::Read(_));
        begins && (request == Request::Add || reads != (row.operation == Operation::RdmaRead.code()))
    }

    /// Whether the send queue may have a packet to send, so that data of an RDMA READ that waited yield to it.
    fn works(&self, side: &Side, posted: usize, passed: bool) -> bool {
        let row = &side.requester;
        if !row.active {
            return posted != 0;
        }
        row.sent != row.begun || self.begins(row, posted) || passed
    }

    /// Whether a posted request may begin behind the outstanding ones.
    fn begins(&self, row: &Requester, posted: usize) -> bool {
        let (data, is_atomic) = answered_by_data(row);
        let most = if data { usize::from(self.reads) } else { OUTSTANDING };
        posted > usize::from(row.begun) && usize::from(row.begun) < most && !is_atomic && !row.held
    }

    /// The requester has its turn, with `posted` WQEs that are not done.
    fn give_turn(&self, side: &mut Side, posted: usize, passed: bool) -> requester::Out {
        let row = side.requester;
        let cause = if is_broken(side) { requester::Cause::Flush } else { requester::Cause::Turn };
        let pins = requester::In {
            cause: cause.code(),
            rests: row.psn == row.oldest,
            unsent: row.sent != row.begun,
            begins: self.begins(&row, posted),
            unanswered: reaches(row.last, row.oldest),
            passed,
            resends: true,
            spent: row.retries == self.retries,
            ..Default::default()
        };
        self.request(side, pins)
    }

    /// A receive WQE is flushed; of a shared receive queue, that of the message under way.
    fn flush(&self, side: &mut Side) -> Option<()> {
        let row = &mut side.responder;
        if self.shared.is_some() {
            let is_held = row.midway && !row.writes;
            row.midway = false;
            return is_held.then_some(());
        }
        let is_left = row.consumed as u8 != side.posted;
        row.consumed += u16::from(is_left);
        is_left.then_some(())
    }

    /// The next packet of a request leaves, which begins if it is not under way.
    fn send(&self, side: &mut Side, request: Request) -> Packet {
        let (number, packet) = self.next_packet(side);
        if side.requester.sent == side.requester.begun {
            if !side.requester.active {
                side.faults = 0;
            }
            let pins = requester::In {
                cause: requester::Cause::Begin.code(),
                more: u32::from(request.packets()) - 1,
                operation: operation(request).code(),
                length: u32::from(request.packets()) * u32::from(MTU),
                signalled: true,
                ..Default::default()
            };
            self.request(side, pins);
        }
        let psn = side.requester.psn;
        let reads = is_read(request);
        let last = reads || packet + 1 == request.packets();
        // With a rule left out, a packet may have a number beyond its request.
        let behind = u32::from(request.packets()).wrapping_sub(u32::from(packet) + 1);
        let last_psn = psn.wrapping_add(behind) & PSN_MASK;
        let cause = requester::Cause::Send.code();
        self.request(side, requester::In { cause, reads, last, last_psn, ..Default::default() });
        Packet::Request { psn, request: number, packet }
    }

    /// A packet arrives at a queue pair.
    pub(super) fn arrive(&self, state: &mut State, me: usize, packet: Packet) -> Effects {
        let mut done = Effects { taken: Some(packet), ..Effects::default() };
        match packet {
            _ if self.dead && me == 1 => {}
            _ if is_broken(&state.sides[me]) => {}
            Packet::Request { psn, request, packet } => {
                done.executed = self.hear(state, me, psn, (request, packet));
            }
            Packet::Response { psn, value, ends } => {
                self.take(state, me, &mut done, (psn, value, ends, false));
            }
            Packet::Original { psn, value } => self.take(state, me, &mut done, (psn, value, true, true)),
            Packet::Answer { psn, syndrome } => self.answer(state, me, &mut done, (psn, syndrome)),
        }
        done
    }

    /// The responder's input for a packet of a request; `None` if its rule is not applied.
    fn arrival(&self, side: &Side, request: Request, psn: u32, packet: u8) -> Option<responder::In> {
        let (row, packets) = (side.responder, request.packets());
        let (write, read) = (matches!(request, Request::Write(_)), matches!(request, Request::Read(_)));
        let (atomic, shared) = (request == Request::Add, self.shared.is_some());
        let data_answer = read || atomic;
        let (first, last) = (data_answer || packet == 0, data_answer || packet + 1 == packets);
        let (address, length) = match request {
            Request::Write(_) if !first => (row.address, row.length),
            _ => (packet.into(), u32::from(packets - packet)),
        };
        let (follows, reader) = (psn == row.psn, side.reader);
        let continues = psn == reader.newest.wrapping_add(1) & PSN_MASK;
        let pins = responder::In {
            row,
            cause: responder::Cause::Arrive.code(),
            psn,
            follows,
            appends: read && reader.active && !reader.atomic && (follows || continues),
            repeats: distance(row.psn, psn) >> 23 == 1,
            first,
            last,
            write,
            read,
            atomic,
            saved: side.reader.atomic && side.reader.last == psn,
            original: side.memory[0].into(),
            asks: last && !data_answer,
            bytes: if data_answer { 0 } else { MTU },
            sized: true,
            mtu: MTU,
            ready: side.posted != if shared { side.shared.0 } else { row.consumed as u8 },
            shared,
            rnr_timer: RNR_TIMER,
            address,
            length,
            more: u32::from(packets - packet) - 1,
            ..Default::default()
        };
        self.defect.map_or(Some(pins), |defect| defect.arrives(pins))
    }

    /// A packet of a request arrives. Tells whether it is executed.
    fn hear(&self, state: &mut State, me: usize, psn: u32, (number, packet): (u8, u8)) -> bool {
        let request = self.requests[1 - me][usize::from(number)];
        let side = &mut state.sides[me];
        let Some(pins) = self.arrival(side, request, psn, packet) else { return false };
        let responder::In { write, read, atomic, first, last, shared, address, .. } = pins;
        let (packets, data_answer) = (request.packets(), read || atomic);
        let out = self.respond(side, pins);
        if out.breaks {
            state.wrong = state.wrong.or(Some(Wrong::Broken));
        }
        if !out.takes {
            return false;
        }
        self.respond(side, responder::In { cause: responder::Cause::Take.code(), ..pins });
        if pins.appends {
            Self::append(side, &pins);
        }
        execute(side, request, number, address as usize);
        let splits = shared && !write && !data_answer && self.takes_two(side, first, last);
        let (key, ends) = ((number, packet), if read { packets } else { packet + 1 });
        if splits {
            state.wrong = state.wrong.or(Some(Wrong::TwoBuffers));
        } else if key == side.next {
            side.next = if ends == packets { (number + 1, 0) } else { (number, ends) };
        } else if key > side.next {
            state.wrong = state.wrong.or(Some(Wrong::Gap));
        } else if !write && !read {
            state.wrong = state.wrong.or(Some(Wrong::Duplicate));
        }
        true
    }

    /// A packet of a SEND comes into a buffer of the shared receive queue, of which the first one takes a WQE. Tells whether
    /// it is another one than that of the first packet.
    fn takes_two(&self, side: &mut Side, first: bool, last: bool) -> bool {
        let counts_last = self.defect == Some(Defect::CountsLast);
        let (taken, begun) = &mut side.shared;
        let buffer = if first || counts_last { *taken } else { *begun };
        if first {
            *begun = buffer;
        }
        if if counts_last { last } else { first } {
            *taken += 1;
            side.responder.consumed = u16::from(*taken);
        }
        buffer != side.shared.1
    }

    /// A packet of the data of an RDMA READ, or the original value of an atomic operation, arrives.
    fn take(
        &self,
        state: &mut State,
        me: usize,
        done: &mut Effects,
        (psn, value, ends, is_original): (u32, u8, bool, bool),
    ) {
        let side = &mut state.sides[me];
        let (row, number) = (side.requester, self.current(side));
        let (reads, is_atomic) = answered_by_data(&row);
        let pins = requester::In {
            psn,
            ends,
            fits: is_original == is_atomic,
            reads,
            rests: row.psn == row.oldest,
            next: psn == row.oldest,
            remains: row.last == row.oldest,
            ..Default::default()
        };
        let mut out = self.request(side, requester::In { cause: requester::Cause::Respond.code(), ..pins });
        if out.takes {
            let address = distance(row.first, row.oldest) as usize;
            out = self.request(side, requester::In { cause: requester::Cause::Take.code(), ..pins });
            done.executed = true;
            if value != self.expected(me, number, address) {
                state.wrong = state.wrong.or(Some(Wrong::WrongData));
            }
        }
        if out.finish && out.row.active && self.defect != Some(Defect::KeepsReads) {
            self.advance(&mut state.sides[me], row.last);
        }
        if out.finish {
            self.complete(state, me, done, (number, out.status));
        }
    }

    /// The byte that an RDMA READ or an atomic operation has to bring: what the last RDMA WRITE before it has written
    /// there, and what atomic operations have added since.
    pub(super) fn expected(&self, me: usize, read: u8, address: usize) -> u8 {
        let before = &self.requests[me][..usize::from(read)];
        let writes =
            |request: &Request| matches!(request, Request::Write(packets) if address < usize::from(*packets));
        let last = before.iter().rposition(writes);
        let since = &before[last.map_or(0, |number| number + 1)..];
        let adds = since.iter().filter(|request| **request == Request::Add && address == 0).count();
        last.map_or(0, |number| number as u8 + 1).wrapping_add(ADDEND.wrapping_mul(adds as u8))
    }

    /// An ACK or NAK arrives. If it is for a later request, those before it end one by one.
    fn answer(&self, state: &mut State, me: usize, done: &mut Effects, answer: (u32, u8)) {
        while self.answer_once(state, me, done, answer) {}
    }

    /// An ACK or NAK is applied to the oldest request. Tells whether it is for a later one.
    fn answer_once(&self, state: &mut State, me: usize, done: &mut Effects, answer: (u32, u8)) -> bool {
        let side = &mut state.sides[me];
        let (row, number) = (side.requester, self.current(side));
        let taken = self.defect.map_or(Some(answer), |defect| defect.answers(&row, answer));
        let Some((psn, syndrome)) = taken else { return false };
        let (sent, answered, all) =
            (distance(row.oldest, row.psn), distance(row.oldest, psn), distance(row.oldest, row.last));
        let (reads, next) = (answered_by_data(&row).0, answered == 0);
        let (belongs, beyond) = (answered <= distance(row.oldest, row.newest), answered > all);
        // The data of an RDMA READ are still to come, whatever an answer to a later one says.
        let data = reads && self.defect != Some(Defect::PassesReads);
        let passes = row.active && belongs && beyond && requester::is_known(syndrome) && !data;
        // No counter reaches 8.
        let retries = if self.defect == Some(Defect::RetriesForever) { 8 } else { self.retries };
        let ends = (answered == all, beyond);
        let over = requester::over(&row, reads, syndrome, next, ends, (retries, self.rnr_retries));
        let limited = self.defect == Some(Defect::LimitsRnrNaks) && syndrome >> 5 & 3 == 1 && row.rnr == 7;
        let out = self.request(
            side,
            requester::In {
                cause: requester::Cause::Answer.code(),
                psn,
                syndrome,
                reads,
                rests: sent == 0,
                belongs,
                passes,
                overtakes: sent <= answered.min(all),
                next,
                over: row.active && belongs && if beyond && !data { passes } else { over || limited },
                remains: all == 0,
                ..Default::default()
            },
        );
        if out.finish && out.row.active {
            self.advance(side, row.last);
        }
        if out.finish {
            self.complete(state, me, done, (number, out.status));
        }
        if passes && reads {
            state.wrong = state.wrong.or(Some(Wrong::Unexecuted));
        }
        passes
    }

    /// The state after an action, and what it did; `None` if it cannot happen or changes nothing.
    pub(super) fn after(&self, before: &State, action: Action) -> Option<(State, Effects)> {
        let mut state = before.clone();
        let done = match action {
            Action::Turn(me) => self.turn(&mut state, me, false)?,
            Action::TimeOut(me) => {
                let waits = state.sides[me].requester.waiting;
                if !waits && !self.is_silent(&state) {
                    spend(&mut state.left.early);
                    self.fault(&mut state, me);
                }
                self.turn(&mut state, me, true)?
            }
            Action::Arrive(from) => {
                let packet = state.wires[from].pop_front()?;
                self.arrive(&mut state, 1 - from, packet)
            }
            Action::Repeat(from) => {
                let packet = *state.wires[from].front()?;
                spend(&mut state.left.repeats);
                self.fault(&mut state, requester_of(from, packet));
                self.arrive(&mut state, 1 - from, packet)
            }
            Action::Lose(from) => {
                let packet = state.wires[from].pop_front()?;
                spend(&mut state.left.losses);
                self.fault(&mut state, requester_of(from, packet));
                Effects { taken: Some(packet), ..Effects::default() }
            }
            Action::Overtake(from) => {
                let second = state.wires[from].remove(1)?;
                let first = *state.wires[from].front()?;
                spend(&mut state.left.overtakes);
                for packet in [first, second] {
                    self.fault(&mut state, requester_of(from, packet));
                }
                self.arrive(&mut state, 1 - from, second)
            }
            Action::Remake => {
                spend(&mut state.left.remakes);
                self.remake(&mut state);
                Effects::default()
            }
            Action::Post(me) => {
                state.sides[me].posted += 1;
                Effects::default()
            }
            Action::Share(me) => {
                spend(&mut state.left.others);
                state.sides[me].shared.0 += 1;
                Effects::default()
            }
        };
        if self.eager {
            self.settle(&mut state);
        }
        (state != *before).then_some((state, done))
    }

    /// The hosts make both queue pairs again. Requests that were outstanding are given up; packets in flight stay.
    fn remake(&self, state: &mut State) {
        let psn = if self.defect == Some(Defect::ReusesPsns) { FIRST_PSN } else { SECOND_PSN };
        for me in SIDES {
            let side = &mut state.sides[me];
            let consumed = side.requester.consumed + u16::from(side.requester.begun);
            side.requester = Requester { psn, consumed, ..Requester::default() };
            side.responder = Responder { psn, consumed: side.responder.consumed, ..Responder::default() };
            (side.reader, side.reads) = (Reader::default(), Default::default());
            state.sides[1 - me].next = (consumed as u8, 0);
        }
    }

    /// A fault hinders the requests of a queue pair. More than the retry count need not be counted.
    fn fault(&self, state: &mut State, me: usize) {
        let faults = &mut state.sides[me].faults;
        *faults = (*faults + 1).min(self.retries);
    }

    /// Nothing is in flight, and no send queue has anything to send before a deadline.
    pub(super) fn is_silent(&self, state: &State) -> bool {
        state.wires.iter().all(std::collections::VecDeque::is_empty)
            && SIDES.iter().all(|me| self.turn(&mut state.clone(), *me, false).is_none())
    }
}

/// The queue pair whose requests a packet from a queue pair serves.
fn requester_of(from: usize, packet: Packet) -> usize {
    match packet {
        Packet::Request { .. } => from,
        Packet::Response { .. } | Packet::Original { .. } | Packet::Answer { .. } => 1 - from,
    }
}

fn spend(left: &mut u8) {
    *left = left.saturating_sub(u8::from(*left != ALWAYS));
}
