//! Transitions between states of a queue pair, and the attributes that each one needs and allows (IBA volume 1, table 91;
//! the table of Linux, `ib_modify_qp_is_ok`).

use super::errno::{EINVAL, EOPNOTSUPP};
use crate::verbs::call::mask::*;
pub(super) use crate::verbs::call::state;
use crate::verbs::call::{QueuePairAttributes, Service};
use state::*;

/// `IBV_ACCESS_*` flags that a queue pair may have: local write, remote write, read and atomic.
const ACCESS_FLAGS: u32 = 0xf;
/// Code of the largest MTU: 2,048 bytes.
const MOST_MTU: u32 = 4;

/// Attributes that a transition needs, and those that it allows; `None` if there is no such transition.
fn attributes(service: Service, from: u32, to: u32) -> Option<(u32, u32)> {
    const PATH: u32 = ALTERNATE_PATH | MIGRATION;
    let kind = |datagram, connection| if service.is_connected() { connection } else { datagram };
    let reliable = |attributes| if service == Service::ReliableConnection { attributes } else { 0 };
    Some(match (from, to) {
        (_, RESET | ERROR) if from != RESET || to == RESET => (0, 0),
        (RESET, INIT) => (PARTITION | PORT | kind(Q_KEY, ACCESS), 0),
        (INIT, INIT) => (0, PARTITION | PORT | kind(Q_KEY, ACCESS)),
        (INIT, READY_TO_RECEIVE) => (
            kind(0, ADDRESS | MTU | PEER | RECEIVE_PSN) | reliable(PEER_READS | RNR_TIMER),
            PARTITION | kind(Q_KEY, ALTERNATE_PATH | ACCESS),
        ),
        (READY_TO_RECEIVE, READY_TO_SEND) => (
            SEND_PSN | reliable(TIMEOUT | RETRIES | RNR_RETRIES | READS),
            CURRENT_STATE | kind(Q_KEY, ACCESS | PATH) | reliable(RNR_TIMER),
        ),
        (READY_TO_SEND | DRAINED, READY_TO_SEND) => {
            (0, CURRENT_STATE | kind(Q_KEY, ACCESS | PATH) | reliable(RNR_TIMER))
        }
        (READY_TO_SEND, DRAINED) => (0, REPORTS_DRAINED),
        (DRAINED, DRAINED) => {
            let retries = PORT | TIMEOUT | RETRIES | RNR_RETRIES | RNR_TIMER | READS | PEER_READS;
            (0, PARTITION | kind(Q_KEY, ADDRESS | ACCESS | PATH) | reliable(retries))
        }
        (SEND_ERROR, READY_TO_SEND) if service == Service::Datagram => (0, CURRENT_STATE | Q_KEY),
        _ => return None,
    })
}

/// Checks a change of a queue pair in state `from`; the state that it leads to.
pub(super) fn check(service: Service, from: u32, change: &QueuePairAttributes) -> Result<u32, i32> {
    let given = |bit| change.mask & bit != 0;
    if given(CURRENT_STATE) && change.current_state != from {
        return Err(EINVAL);
    }
    let to = if given(STATE) { change.state } else { from };
    let (needed, allowed) = attributes(service, from, to).ok_or(EINVAL)?;
    if change.mask & needed != needed || change.mask & !(needed | allowed | STATE) != 0 {
        return Err(EINVAL);
    }
    let invalid = given(PARTITION) && change.partition != 0
        || given(PORT) && change.port != 1
        || given(ACCESS) && change.access & !ACCESS_FLAGS != 0
        || given(ADDRESS) && change.peer_lid == 0
        || given(MTU) && !(1..=MOST_MTU).contains(&change.mtu)
        || given(TIMEOUT) && change.timeout > 31
        || given(RETRIES) && change.retries > 7
        || given(RNR_RETRIES) && change.rnr_retries > 7
        || given(RNR_TIMER) && change.rnr_timer > 31
        || given(READS) && change.reads > super::MOST_READS
        || given(PEER_READS) && change.peer_reads > super::MOST_READS;
    match (invalid, given(ALTERNATE_PATH | MIGRATION)) {
        (true, _) => Err(EINVAL),
        // The adapter has no second path.
        (_, true) => Err(EOPNOTSUPP),
        _ => Ok(to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change with these attributes, all of them valid.
    fn change(mask: u32, state: u32) -> QueuePairAttributes {
        QueuePairAttributes {
            mask: mask | STATE,
            state,
            port: 1,
            mtu: 3,
            peer_lid: 1,
            ..QueuePairAttributes::default()
        }
    }

    const CONNECTION: [(u32, u32); 3] = [
        (INIT, PARTITION | PORT | ACCESS),
        (READY_TO_RECEIVE, ADDRESS | MTU | PEER | RECEIVE_PSN | PEER_READS | RNR_TIMER),
        (READY_TO_SEND, SEND_PSN | TIMEOUT | RETRIES | RNR_RETRIES | READS),
    ];
    const UNRELIABLE: [(u32, u32); 3] =
        [CONNECTION[0], (READY_TO_RECEIVE, ADDRESS | MTU | PEER | RECEIVE_PSN), (READY_TO_SEND, SEND_PSN)];
    const DATAGRAM: [(u32, u32); 3] =
        [(INIT, PARTITION | PORT | Q_KEY), (READY_TO_RECEIVE, 0), (READY_TO_SEND, SEND_PSN)];

    #[test]
    fn each_step_takes_exactly_the_attributes_of_the_manual() {
        for (service, steps) in [
            (Service::ReliableConnection, CONNECTION),
            (Service::UnreliableConnection, UNRELIABLE),
            (Service::Datagram, DATAGRAM),
        ] {
            let mut from = RESET;
            for (to, needed) in steps {
                assert_eq!(check(service, from, &change(needed, to)), Ok(to));
                for bit in (0..26).map(|bit| 1 << bit) {
                    if needed & bit != 0 {
                        assert_eq!(check(service, from, &change(needed & !bit, to)), Err(EINVAL), "{bit:#x}");
                    }
                }
                let foreign = match service {
                    Service::ReliableConnection => Q_KEY,
                    Service::UnreliableConnection => RNR_TIMER,
                    Service::Datagram => MTU,
                };
                assert_eq!(check(service, from, &change(needed | foreign, to)), Err(EINVAL));
                from = to;
            }
        }
    }

    #[test]
    fn states_follow_each_other_as_in_the_figure_of_the_standard() {
        let allowed = |from, to| check(Service::ReliableConnection, from, &change(0, to)).is_ok();
        for from in [INIT, READY_TO_RECEIVE, READY_TO_SEND, DRAINED, SEND_ERROR, ERROR] {
            assert!(allowed(from, RESET) && allowed(from, ERROR), "{from}");
        }
        assert!(!allowed(RESET, ERROR) && allowed(RESET, RESET));
        assert!(allowed(READY_TO_SEND, READY_TO_SEND) && allowed(READY_TO_SEND, DRAINED));
        assert!(allowed(DRAINED, READY_TO_SEND) && !allowed(ERROR, READY_TO_SEND));
        assert!(!allowed(READY_TO_RECEIVE, DRAINED) && !allowed(READY_TO_SEND, INIT) && !allowed(INIT, 7));
        assert!(check(Service::Datagram, SEND_ERROR, &change(0, READY_TO_SEND)).is_ok());
        assert!(!allowed(SEND_ERROR, READY_TO_SEND), "a connection has no such state");
    }

    #[test]
    fn values_out_of_range_and_a_second_path_are_refused() {
        let receive = change(CONNECTION[1].1, READY_TO_RECEIVE);
        let wrong = |change: QueuePairAttributes| check(Service::ReliableConnection, INIT, &change);
        assert_eq!(wrong(QueuePairAttributes { mtu: 5, ..receive }), Err(EINVAL));
        assert_eq!(wrong(QueuePairAttributes { peer_lid: 0, ..receive }), Err(EINVAL));
        assert_eq!(wrong(QueuePairAttributes { rnr_timer: 32, ..receive }), Err(EINVAL));
        let peer_reads = |peer_reads| wrong(QueuePairAttributes { peer_reads, ..receive });
        assert_eq!((peer_reads(16), peer_reads(17)), (Ok(READY_TO_RECEIVE), Err(EINVAL)));
        let send = change(CONNECTION[2].1, READY_TO_SEND);
        let reads = |reads| {
            let change = QueuePairAttributes { reads, ..send };
            check(Service::ReliableConnection, READY_TO_RECEIVE, &change)
        };
        assert_eq!((reads(16), reads(17)), (Ok(READY_TO_SEND), Err(EINVAL)));
        let two = QueuePairAttributes { mask: receive.mask | ALTERNATE_PATH, ..receive };
        assert_eq!(wrong(two), Err(EOPNOTSUPP));
        let believed = QueuePairAttributes { current_state: 2, ..change(CURRENT_STATE, READY_TO_SEND) };
        assert_eq!(check(Service::ReliableConnection, READY_TO_SEND, &believed), Err(EINVAL));
    }
}
