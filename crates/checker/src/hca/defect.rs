//! Rules left out on purpose. The functions of the adapter stay as they are: a defect changes their inputs or outputs.

use ::hca::contexts::{Reader, Requester, Responder};
use ::hca::protocol::responder::{ACK, NAK};
use ::hca::protocol::{requester, responder};

/// A rule that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Responder: the PSN of a packet that came before is not compared.
    TakesDuplicates,
    /// Responder: the PSN of a packet behind a gap is not compared.
    TakesGaps,
    /// Responder: a packet that came before is dropped without an ACK.
    DropsDuplicates,
    /// Responder: each packet behind a gap has a NAK of its own.
    RepeatsNaks,
    /// Responder: an RDMA READ that came before is acknowledged and not read again.
    AcknowledgesReads,
    /// Requester: the PSN of an ACK is not compared.
    TakesAnyAck,
    /// Requester: the PSN of a packet of an RDMA READ's data is not compared.
    TakesAnyData,
    /// Requester: the kind of an answer is not looked at.
    TakesNaksForAcks,
    /// Requester: an RNR NAK is dropped.
    DropsRnrNaks,
    /// Requester: progress does not reset the retry counter.
    KeepsRetries,
    /// Requester: the retry counter is not compared with the retry count.
    RetriesForever,
    /// Responder: an RDMA READ that comes again goes on where its data were.
    ContinuesReads,
    /// Requester: RNR retry 7 is a limit like others.
    LimitsRnrNaks,
    /// Responder: an atomic operation that came before is executed again.
    RepeatsAtomics,
    /// Responder: the answer of an atomic operation is not saved.
    ForgetsAnswers,
    /// Responder: a message takes its WQE of a shared receive queue with its last packet.
    CountsLast,
    /// Requester: an ACK ends all outstanding requests.
    EndsAll,
    /// Requester: an answer to a later request than the oldest one is dropped.
    DropsLaterAnswers,
    /// Requester: a NAK for a later RDMA READ ends those before it.
    PassesReads,
    /// Requester: when an RDMA READ has ended, the row of the next request is not taken.
    KeepsReads,
    /// Host: a connection that is made again has the PSNs of the old one.
    ReusesPsns,
}

impl Defect {
    /// The rules with this defect, in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::TakesDuplicates => "duplicates are taken",
            Self::TakesGaps => "gaps are not noticed",
            Self::DropsDuplicates => "duplicates are dropped",
            Self::RepeatsNaks => "NAKs are repeated",
            Self::AcknowledgesReads => "reads are acknowledged",
            Self::TakesAnyAck => "any ACK is taken",
            Self::TakesAnyData => "any data are taken",
            Self::TakesNaksForAcks => "NAKs are taken for ACKs",
            Self::DropsRnrNaks => "RNR NAKs are dropped",
            Self::KeepsRetries => "retries are kept",
            Self::RetriesForever => "retries are not limited",
            Self::ContinuesReads => "reads are continued",
            Self::LimitsRnrNaks => "RNR NAKs are limited",
            Self::RepeatsAtomics => "atomic operations are repeated",
            Self::ForgetsAnswers => "answers are not saved",
            Self::CountsLast => "a WQE is taken late",
            Self::EndsAll => "an ACK ends all",
            Self::DropsLaterAnswers => "later answers are dropped",
            Self::PassesReads => "a NAK ends reads",
            Self::KeepsReads => "ended reads are kept",
            Self::ReusesPsns => "PSNs are used again",
        }
    }

    /// The responder's input for a packet that arrives; `None` if its rule is not applied.
    pub(super) fn arrives(self, pins: responder::In) -> Option<responder::In> {
        let duplicate = pins.repeats && !pins.follows;
        let gap = !pins.repeats && !pins.follows;
        match self {
            Self::TakesDuplicates => Some(responder::In { follows: pins.follows || duplicate, ..pins }),
            Self::TakesGaps => Some(responder::In { follows: pins.follows || gap, ..pins }),
            Self::DropsDuplicates if duplicate => None,
            Self::RepeatsAtomics if duplicate && pins.atomic => {
                Some(responder::In { follows: true, psn: pins.row.psn, ..pins })
            }
            Self::ForgetsAnswers => Some(responder::In { saved: false, ..pins }),
            Self::AcknowledgesReads if duplicate => Some(responder::In { read: false, ..pins }),
            _ => Some(pins),
        }
    }

    /// The responder's context after its rule, for its input.
    pub(super) fn responded(self, pins: &responder::In, out: responder::Out) -> responder::Out {
        let (row, reader) = (out.row, out.reader);
        match self {
            Self::RepeatsNaks if row.syndrome == NAK => {
                responder::Out { row: Responder { refused: false, ..row }, ..out }
            }
            Self::ContinuesReads
                if pins.cause == responder::Cause::Take.code()
                    && pins.repeats
                    && pins.reader.active
                    && pins.reader.begun =>
            {
                responder::Out { reader: Reader { psn: pins.reader.psn, ..reader }, ..out }
            }
            _ => out,
        }
    }

    /// An answer, as a requester takes it: PSN and syndrome. `None` if it is dropped.
    pub(super) fn answers(self, row: &Requester, (psn, syndrome): (u32, u8)) -> Option<(u32, u8)> {
        match (self, syndrome >> 5 & 3) {
            (Self::TakesAnyAck, 0) => Some((row.last, syndrome)),
            (Self::TakesNaksForAcks, _) => Some((psn, ACK)),
            (Self::DropsRnrNaks, 1) => None,
            (Self::EndsAll, 0) if row.active => Some((row.newest, syndrome)),
            (Self::DropsLaterAnswers, _) => {
                let from_oldest = |psn: u32| psn.wrapping_sub(row.oldest) & 0xff_ffff;
                let is_later = from_oldest(psn) > from_oldest(row.last);
                (!row.active || !is_later).then_some((psn, syndrome))
            }
            _ => Some((psn, syndrome)),
        }
    }

    /// The requester's input.
    pub(super) fn asks(self, pins: requester::In) -> requester::In {
        match self {
            Self::TakesAnyData => requester::In { next: true, ..pins },
            Self::RetriesForever => requester::In { spent: false, ..pins },
            _ => pins,
        }
    }

    /// The requester's context after its rule, and `before`.
    pub(super) fn requested(self, before: &Requester, row: Requester) -> Requester {
        let kept = if self == Self::KeepsRetries { before.retries } else { 0 };
        Requester { retries: row.retries.max(kept), ..row }
    }
}
