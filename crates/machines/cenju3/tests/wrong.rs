use cenju3::memory_map::{Kind, Refusal};
use cenju3::registers::{Register, Status};
use cenju3_machine::deen::Sending;
use cenju3_machine::fault::Fault;
use cenju3_machine::settings::Nif;
use cenju3_machine::{Cenju3, Cluster, Port, Ring, Settings, layout};
use cluster::{Duration, Time};
use machine_api::{CarrierChoice, Parallel, Wait};
use mpi::{Error, Options, Source, Tag};

use crate::{LIMIT, models, run};

const GOOD: Sending = Sending {
    kind: Kind::Dma,
    pe: 1,
    source: layout::SEND,
    bytes: 64,
    destination: layout::WINDOW,
    library: [0; 4],
    cached: false,
};

/// Entries without bytes, longer than the window, beyond memory, and with a misaligned address.
const WRONG: [Sending; 5] = [
    Sending { bytes: 0, ..GOOD },
    Sending { bytes: layout::WINDOW_BYTES + 8, ..GOOD },
    Sending { source: u32::MAX - 7, ..GOOD },
    Sending { destination: layout::WINDOW + layout::WINDOW_BYTES - 8, ..GOOD },
    Sending { source: layout::SEND + 1, ..GOOD },
];

/// The NIF's refusal of each.
const WHY: [Refusal; 5] =
    [Refusal::Length, Refusal::Window, Refusal::Source, Refusal::Window, Refusal::Source];

/// Start of a program next to a rank: the rank waits by then.
const BEGIN: Duration = Duration::from_us(100);

/// Runs a program on PE 0 while PE 1 waits for one message; returns the program's result.
fn beside_one_that_waits<T: 'static, F: Future<Output = T> + 'static>(
    nif: Nif,
    program: impl FnOnce(Port) -> F + 'static,
) -> T {
    let mut cluster = Cluster::with_switch(models(2), &Settings { nif, ..Settings::default() });
    let waits = cluster.spawn(1, "waits", |port| async move {
        port.open(false).await;
        while port.look(Ring::Messages).await.is_none() {
            port.host().compute(port.host().costs().turn).await;
        }
        port.look(Ring::Dma).await
    });
    let ends = cluster.spawn(0, "program", program);
    cluster.run(LIMIT).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(waits.take(), Some(None), "nothing of a wrong entry comes");
    ends.take().expect("it is done")
}

#[test]
fn new_nif_refuses_a_wrong_entry_and_goes_on() {
    for (number, (wrong, why)) in WRONG.into_iter().zip(WHY).enumerate() {
        let (fault, next, status) = beside_one_that_waits(Nif::New, move |port| async move {
            port.open(false).await;
            port.host().compute(Duration::from_us(20)).await;
            port.send(&wrong).await.expect("nobody checks before the NIF does");
            // The next entry is taken, so this one was checked.
            port.send_message(1, [0; 4], &[1]).await.unwrap();
            port.host().compute(Duration::from_us(100)).await;
            let faults = (port.deen().fault(), port.deen().fault());
            (faults.0, faults.1, port.host().read_register(Register::Status).await)
        });
        let address = wrong.destination;
        assert_eq!(fault, Some(Fault::Entry { why, pe: 1, address }), "{number}");
        assert_eq!((next, status), (None, 0), "{number}: it is told once");
    }
}

/// A rank of two waits for the other one, which sends no message, while a thread of its task writes these entries into
/// the same queue. Returns the errors of the rank, one for each wait, and the time of the first.
fn rank_beside_one_that_writes(
    settings: &Settings,
    wrong: &'static [Sending],
) -> (Vec<Result<(), Error>>, Duration) {
    let mut cluster = Cluster::with_switch(models(2), settings);
    let way = CarrierChoice { wait: settings.wait, ..CarrierChoice::over(&Cenju3::CARRIERS[0]) };
    let count = wrong.len();
    let ranks = [0, 1].map(|node| {
        Cenju3::spawn_rank(&mut cluster, node, "rank", way, Options::default(), move |world, _| async move {
            let mut ends = Vec::new();
            while node == 0 && ends.len() < count {
                let end = world.receive(Source::Rank(1), Tag::Any, 8).await;
                ends.push((end.map(drop), world.now()));
            }
            ends
        })
    });
    cluster.spawn(0, "writes", move |port| async move {
        port.host().compute(BEGIN).await;
        for wrong in wrong {
            port.send(wrong).await.expect("nobody checks before the NIF does");
        }
    });
    cluster.run(LIMIT).unwrap_or_else(|error| panic!("{error}"));
    let ends = ranks.map(|ends| ends.take().expect("it is done"))[0].clone();
    let first = ends[0].1 - Time::ZERO;
    (ends.into_iter().map(|end| end.0).collect(), first)
}

#[test]
fn rank_with_a_refused_entry_gets_an_internal_error_at_once() {
    for wait in [Wait::Poll, Wait::Event, Wait::Interrupt] {
        let settings = Settings { wait, ..Settings::default() };
        for wrong in &WRONG {
            let (ends, when) = rank_beside_one_that_writes(&settings, std::slice::from_ref(wrong));
            let error = ends[0].unwrap_err();
            assert_eq!(error.class(), "MPI_ERR_INTERN", "{wait:?}");
            assert!(error.to_string().contains("the NIF refused an entry"), "{wait:?}: {error}");
            // The NIF checks it, the handler reads five registers, and a thread may have to wake up and hand over.
            assert!(BEGIN < when && when < BEGIN + Duration::from_us(200), "{wait:?}: {when:?}");
        }
    }
}

#[test]
fn entry_for_no_rank_fails_every_waiting_rank() {
    static NOBODY: Sending = Sending { bytes: 0, pe: 77, ..GOOD };
    let (ends, _) = rank_beside_one_that_writes(&Settings::default(), std::slice::from_ref(&NOBODY));
    assert_eq!(ends, [Err(Error::Rank { rank: 77, size: 2 })]);
    assert_eq!(ends[0].unwrap_err().class(), "MPI_ERR_RANK");
}

#[test]
fn mpi_refuses_an_unknown_rank_before_an_entry_is_written() {
    for nif in [Nif::New, Nif::Old] {
        let (ends, _) = run(&Settings { nif, ..Settings::default() }, 2, |world| async move {
            let sent = world.send(77, 0, &[1; 200]).await;
            let received = world.receive(Source::Rank(2), Tag::Any, 8).await.map(drop);
            world.finalize().await.unwrap();
            [sent, received]
        });
        for end in ends.into_iter().flatten() {
            assert_eq!(end.unwrap_err().class(), "MPI_ERR_RANK");
        }
    }
}

#[test]
fn packet_that_is_dropped_is_an_error_of_no_known_rank() {
    let mut cluster = Cluster::with_switch(models(2), &Settings::default());
    let way = CarrierChoice::over(&Cenju3::CARRIERS[0]);
    let rank = Cenju3::spawn_rank(&mut cluster, 0, "rank", way, Options::default(), |world, _| async move {
        world.receive(Source::Rank(1), Tag::Any, 8).await.map(drop)
    });
    cluster.spawn(0, "renames", |port| async move {
        port.host().compute(BEGIN).await;
        // Its NIF has the number of another PE, so packets arrive for the wrong one.
        for (register, value) in [(Register::Control, 0), (Register::Pe, 1), (Register::Control, 1)] {
            port.host().write_register(register, value).await;
        }
    });
    cluster.spawn(1, "sends", |port| async move {
        port.open(false).await;
        port.host().compute(BEGIN * 2).await;
        port.send_message(0, [0; 4], &[1]).await.unwrap();
    });
    cluster.run(LIMIT).unwrap_or_else(|error| panic!("{error}"));
    let error = rank.take().expect("it is done").unwrap_err();
    assert_eq!((error, error.class()), (Error::Dropped, "MPI_ERR_OTHER"));
}

#[test]
fn kernel_refuses_illegal_areas_and_goes_on() {
    for (number, wrong) in WRONG[..4].iter().copied().enumerate() {
        let error = beside_one_that_waits(Nif::Old, move |port| async move {
            port.open(false).await;
            port.host().compute(Duration::from_us(20)).await;
            let error = port.send(&wrong).await.unwrap_err().to_string();
            port.send_message(1, [0; 4], &[1]).await.unwrap();
            error
        });
        let inside = (layout::SEND..layout::ALIAS).contains(&wrong.source)
            && wrong.bytes < layout::ALIAS - wrong.source;
        let address = if inside { wrong.destination } else { wrong.source };
        assert!(error.contains("PE 1") && error.contains(&format!("{address:#x}")), "{number}: {error}");
    }
}

#[test]
fn masks_stay_as_they_are_while_entries_of_the_user_wait() {
    let (status, mask) = beside_one_that_waits(Nif::New, |port| async move {
        port.open(false).await;
        port.host().compute(Duration::from_us(20)).await;
        port.send_message(1, [0; 4], &[1; 127]).await.unwrap();
        port.host().write_register(Register::PeMask, 0).await;
        let status = port.host().read_register(Register::Status).await;
        (status, port.host().read_register(Register::PeMask).await)
    });
    assert!(Status::from_bits(status.into()).mask, "{status:#x}");
    assert_eq!(mask, 0xff);
}

#[test]
fn run_with_a_silent_pe_ends_and_names_who_waits() {
    let mut cluster = Cluster::with_switch(models(2), &Settings::default());
    cluster.spawn(0, "gives", |port| async move {
        port.open(false).await;
        loop {
            port.send_message(1, [0; 4], &[1; 100]).await.expect("a message may be sent");
        }
    });
    let error = cluster.run(Duration::from_us(20_000)).unwrap_err().to_string();
    assert!(error.contains("`gives` on node 0"), "{error}");
}
