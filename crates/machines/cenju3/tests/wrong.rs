use cenju3::memory_map::Kind;
use cenju3::registers::{Refused, Register, Status};
use cenju3_machine::deen::Sending;
use cenju3_machine::settings::Nif;
use cenju3_machine::{Cluster, Port, Ring, Settings, layout};
use cluster::Duration;

use crate::{LIMIT, models};

const GOOD: Sending = Sending {
    kind: Kind::Dma,
    pe: 1,
    source: layout::SEND,
    bytes: 64,
    destination: layout::WINDOW,
    library: [0; 4],
    cached: false,
};

/// Without bytes, longer than the window, out of memory, and with an address that no word has.
const WRONG: [Sending; 5] = [
    Sending { bytes: 0, ..GOOD },
    Sending { bytes: layout::WINDOW_BYTES + 8, ..GOOD },
    Sending { source: u32::MAX - 7, ..GOOD },
    Sending { destination: layout::WINDOW + layout::WINDOW_BYTES - 8, ..GOOD },
    Sending { source: layout::SEND + 1, ..GOOD },
];

/// Runs a program on PE 0; PE 1 waits for one message. What the program brings.
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
fn new_nif_refuses_a_wrong_entry_names_it_and_goes_on() {
    for (number, wrong) in WRONG.into_iter().enumerate() {
        let (status, refused, address) = beside_one_that_waits(Nif::New, move |port| async move {
            port.open(false).await;
            port.host().compute(Duration::from_us(20)).await;
            port.send(&wrong).await.expect("nobody checks before the NIF does");
            // The next entry is taken, so this one was looked at.
            port.send_message(1, [0; 4], &[1]).await.unwrap();
            port.host().compute(Duration::from_us(100)).await;
            (
                port.host().read_register(Register::Status).await,
                port.host().read_register(Register::RefusedEntry).await,
                port.host().read_register(Register::RefusedAddress).await,
            )
        });
        assert!(Status::from_bits(status.into()).entry, "{number}: {status:#x}");
        let refused = Refused::from_bits(refused.into());
        assert_eq!((refused.pe, refused.entry, refused.user), (1, 0, true), "{number}");
        assert_eq!(address, wrong.destination, "{number}");
    }
}

#[test]
fn kernel_refuses_what_is_not_the_users_names_pe_and_address_and_goes_on() {
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
